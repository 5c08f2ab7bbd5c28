// A service behind a real port that is sent what no client sends, and is well afterwards.
import * as assert from 'uvu/assert';
import { type RawTalk, talk } from './raw-http.ts';
import { PREFIX, startTestService, type TestService } from './service.ts';

export type Connection = RawTalk['connection'];

/** What is answered to what was sent: of each answer its status and the code of its envelope, and whether the connection lives on. */
export type Outcome = readonly [answers: string, connection: Connection];

export interface UnderAttack {
  readonly daybook: TestService;
  readonly port: number;
  /** Sends bytes as they are (each character one), and answers what came of it, once an ordinary client was answered, too. */
  send(bytes: string | Uint8Array, expected?: number): Promise<RawTalk & { readonly outcome: Outcome }>;
  close(): Promise<void>;
}

export async function startUnderAttack(): Promise<UnderAttack> {
  const daybook = await startTestService();
  const port = Number(new URL(await daybook.service.app.listen({ port: 0, host: '127.0.0.1' })).port);
  return {
    daybook,
    port,
    async send(bytes, expected) {
      const sent = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
      const told = await talk(port, sent, expected);
      const next = await fetch(`http://127.0.0.1:${port}${PREFIX}/tags`);
      assert.is(next.status, 200, 'the next ordinary request is answered');
      await next.text();
      assert.equal(daybook.logged, [], 'none of it was a failure inside');
      const answers = told.answers.map(({ status, text }) => [status, codeIn(text)].filter(Boolean).join(' '));
      return { ...told, outcome: [answers.join(', '), told.connection] };
    },
    close: () => daybook.close(),
  };
}

function codeIn(text: string): string {
  if (text === '') return '';
  if (text.startsWith('<!doctype html>')) return 'as a page';
  const { code } = JSON.parse(text);
  return typeof code === 'string' ? code : '';
}

/** A request line and headers; the body's length goes with them. */
export const message = (first: string, headers: readonly string[] = [], body: string | Uint8Array = ''): Uint8Array => {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
  const lines = [`${first} HTTP/1.1`, 'Host: cal.example', ...headers];
  if (bytes.length > 0) lines.push(`Content-Length: ${bytes.length}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
};
