// Languages: those of the pages and the mails. A command or a browser that only names them does not load the schemas.

export const languages = ['en', 'ro', 'hu', 'de', 'fr', 'it', 'es', 'uk'] as const
export type Language = (typeof languages)[number]
