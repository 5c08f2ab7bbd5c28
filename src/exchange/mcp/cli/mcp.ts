// `daybook mcp`: assistants search the calendar of a running service, and propose.

import { command, type Output } from '../../../cli/command.ts';
import { say } from '../../../cli/terminal.ts';
import { readConfig } from '../../../config.ts';
import { VERSION } from '../../../version.ts';
import type { Channels } from '../serve-stdio.ts';

/** The protocol is loaded by this command alone: it takes longer than most others run. */
export const mcpCommand = command(
  {
    name: 'mcp',
    description: [
      'Assistants start it and speak to it over standard input and output. It asks the service at DAYBOOK_URL as the user whose token is DAYBOOK_TOKEN; without a token it reads what is public. It never publishes, approves or deletes: what it writes is a proposal, which a person decides about. docs/assistants.md has the configuration of assistants.',
    ],
    examples: [
      ['daybook mcp', 'serves the calendar at http://127.0.0.1:8080'],
      ['DAYBOOK_URL=https://cal.example.org DAYBOOK_TOKEN=5-1-… daybook mcp', 'serves another one, as a user'],
    ],
  },
  async (_, channels: Channels & Output) => {
    const { calendar } = readConfig(process.env);
    const [{ openCalendarApi }, { serveStdio }] = await Promise.all([
      import('../calendar-api.ts'),
      import('../serve-stdio.ts'),
    ]);
    await serveStdio(openCalendarApi(calendar), VERSION, channels);
    return 0;
  },
  (work) => work({ input: process.stdin, output: process.stdout, out: say }),
);
