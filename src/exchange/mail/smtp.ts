// Mail over a server, by SMTP: nodemailer's transport.
import { createTransport } from 'nodemailer';
import { type Mailer, MailUnavailable, messageOf, type Sender } from './mailer.ts';

/** A server that does not answer keeps no mail waiting for longer. */
const TIMEOUT_MS = 20_000;

/** `url` may contain a password: it is never shown. */
export function openSmtp({ url, from }: { readonly url: string; readonly from: Sender }): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  return {
    async send(mail) {
      try {
        await transport.sendMail(messageOf(mail, from));
      } catch (error) {
        throw new MailUnavailable(`The mail server did not take the mail: ${reasonOf(error)}.`);
      }
    },
    close: () => transport.close(),
  };
}

/** The server's answer may repeat the address of the person: of that the code alone. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown reason';
  const { code, responseCode } = error as { readonly code?: unknown; readonly responseCode?: unknown };
  return [code, responseCode].filter((part) => part !== undefined).join(' ') || error.name;
};
