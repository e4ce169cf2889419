// English: the mute of alerts, on the page of the alerts.

export const mute = {
  until: (time: string) => `Until ${time} nobody is told by mail.`,
  why: (why: string) => `Whoever runs this Callgate has muted alerts: ${why}`,
}
