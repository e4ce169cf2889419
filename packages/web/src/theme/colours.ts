// The colours that a person has chosen in this browser, on the pages without a session.

/** Shows the choice that Mantine has stored. Where Mantine is loaded, it does so itself. */
export function showChosenColours(): void {
  const chosen = localStorage.getItem('mantine-color-scheme-value')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['mantineColorScheme'] = chosen
}
