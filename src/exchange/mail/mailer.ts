// The port of mail: how a text reaches a person outside. Adapters: smtp.ts, folder.ts; test/contract/mailer.test.ts states
// what they promise.

/** Plain text to one person. */
export interface Mail {
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  /** Without brackets. The same for a mail that is sent again: programs show it once. */
  readonly id: string;
}

/** The mail was not taken, and may be sent again. */
export class MailUnavailable extends Error {
  override readonly name = 'MailUnavailable';
}

export interface Mailer {
  /** Resolves once the mail has been taken over for delivery. Rejects with `MailUnavailable`. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** `Daybook <calendar@example.org>`, or the address alone. */
export type Sender = string;

/** Names and subjects are one line each: a line end would begin another header. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** A mail in the form in which nodemailer takes it. */
export const messageOf = ({ to, subject, text, id }: Mail, from: Sender) => ({
  from,
  to: { name: oneLine(to.name), address: to.address },
  subject: oneLine(subject),
  text,
  messageId: `<${id}>`,
  // Answers of machines to machines lead nowhere.
  headers: { 'Auto-Submitted': 'auto-generated' },
  // A text cannot name a file or an address whose content would be sent.
  disableFileAccess: true,
  disableUrlAccess: true,
});
