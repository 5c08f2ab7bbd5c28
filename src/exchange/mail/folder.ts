// Mail as files, one `.eml` a mail, for their owner alone: without a mail server, and to look at.
import { open, rename } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import { makePrivateFolder } from '../../kernel/files/private-files.ts';
import { type Mailer, MailUnavailable, messageOf, type Sender } from './mailer.ts';

const FILE_MODE = 0o600;
const UNFINISHED = '.part';

/** The folder is created with the first mail. A mail that is sent again takes the place of its file. */
export function openMailFolder({ folder, from }: { readonly folder: string; readonly from: Sender }): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

  async function write(place: string, bytes: string | Buffer): Promise<void> {
    const file = await open(`${place}${UNFINISHED}`, 'w', FILE_MODE);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${place}${UNFINISHED}`, place);
  }

  return {
    async send(mail) {
      const { message } = await transport.sendMail(messageOf(mail, from));
      // With `buffer` it is no stream.
      const bytes = message as Buffer;
      try {
        makePrivateFolder(folder);
        await write(path.join(folder, `${mail.id.replace(/[^\w.-]/g, '-')}.eml`), bytes);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new MailUnavailable(`The folder of mail ${folder} cannot be used: ${why}.`);
      }
    },
    close: () => transport.close(),
  };
}
