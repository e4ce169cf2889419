// The settings of Mantine: our tokens are in CSS, so this contains only what a stylesheet cannot set.

import { createTheme, Input, Menu, Modal } from '@mantine/core'

/**
 * Nothing here may make a style element, which the page's policy refuses. So there are no CSS variables from here (they are in
 * mantine.css), no scroll lock (base.css does it), and no style props with a value for each width (write CSS).
 */
export const theme = createTheme({
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'never',
  components: {
    // Below the field there is one line: the hint, or the error in its place.
    InputWrapper: Input.Wrapper.extend({
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    }),
    // The first item gets the focus at once. Otherwise Mantine puts an empty element before it, which a menu must not contain.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    // Not by `extend`, so that a first visit loads no switch.
    Switch: { defaultProps: { size: 'md', withThumbIndicator: false } },
    Modal: Modal.extend({
      defaultProps: {
        lockScroll: false,
        centered: true,
        size: 560,
        overlayProps: { backgroundOpacity: 0.4 },
        // A dialog contains no banner: that would be the head of the page.
        attributes: { header: { role: 'none' } },
      },
    }),
  },
})
