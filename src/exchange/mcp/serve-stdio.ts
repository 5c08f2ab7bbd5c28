// Serves one assistant over standard input and output, until it closes them.
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createAssistantServer } from './assistant-server.ts';
import type { CalendarApi } from './calendar-api.ts';

export interface Channels {
  readonly input: Readable;
  /** Nothing but the protocol is written to it. */
  readonly output: Writable;
}

export async function serveStdio(calendar: CalendarApi, version: string, { input, output }: Channels): Promise<void> {
  const server = createAssistantServer(calendar, version);
  const closed = once(input, 'close');
  await server.connect(new StdioServerTransport(input, output));
  // What is under way is still answered: the process ends when nothing is left to do.
  await closed;
}
