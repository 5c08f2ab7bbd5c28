// `daybook mcp`: assistants search the calendar of a running service, and propose.

import { command, synopsis } from '../../../cli/command.ts';
import { readConfig } from '../../../config.ts';
import { VERSION } from '../../../version.ts';
import type { Channels } from '../serve-stdio.ts';

const SPEC = synopsis({
  name: 'mcp',
  description: [
    'Assistants start it and speak to it over standard input and output. It asks the service at DAYBOOK_URL as the user whose token is DAYBOOK_TOKEN; without a token it reads what is public. It never publishes, approves or deletes: what it writes is a proposal, which a person decides about. docs/assistants.md has the configuration of assistants.',
  ],
  arguments: {},
  options: {},
  examples: [
    ['daybook mcp', 'serves the calendar at http://127.0.0.1:8080'],
    ['DAYBOOK_URL=https://cal.example.org DAYBOOK_TOKEN=5-1-… daybook mcp', 'serves another one, as a user'],
  ],
});

interface McpDependencies extends Channels {
  readonly environment: { readonly [name: string]: string | undefined };
}

export const mcpCommand = command(SPEC, {
  perform: (_, dependencies: McpDependencies) => serveAssistant(dependencies),
  run: () => serveAssistant({ environment: process.env, input: process.stdin, output: process.stdout }),
});

/** The protocol is loaded by this command alone: it takes longer than most others run. */
async function serveAssistant({ environment, ...channels }: McpDependencies): Promise<0> {
  const { calendar } = readConfig(environment);
  const [{ openCalendarApi }, { serveStdio }] = await Promise.all([
    import('../calendar-api.ts'),
    import('../serve-stdio.ts'),
  ]);
  await serveStdio(openCalendarApi(calendar), VERSION, channels);
  return 0;
}
