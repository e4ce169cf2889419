// The settings of Mantine: our tokens stand in CSS, so this only says what a stylesheet cannot.

import { createTheme, Input, Menu, Modal } from '@mantine/core'

/**
 * Nothing here may make a style element, which the page's policy refuses: so no CSS variables from here (they stand in
 * mantine.css), no lock of the scrolling (base.css does it), and no style props with a value for each width (write CSS).
 */
export const theme = createTheme({
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'never',
  components: {
    // Under the field there is one line: the hint, or the error in its place.
    InputWrapper: Input.Wrapper.extend({
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    }),
    // The first item has the focus at once. Mantine would put an empty element before it, which a menu must not hold.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({
      defaultProps: {
        lockScroll: false,
        centered: true,
        size: 560,
        overlayProps: { backgroundOpacity: 0.4 },
        // A dialog has no banner: that is the head of the page.
        attributes: { header: { role: 'none' } },
      },
    }),
  },
})
