import { idOfUser, ownerOfName } from '../../commands/reservations/user-names.ts';
import { comparedName } from '../../domain/user.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import * as queries from '../../queries/history/user-history.ts';
import { synopsis } from '../command.ts';
import { UsageError } from '../errors.ts';
import { linesOfEntry } from '../history.ts';
import { JSON_FLAG, POSITIVE_INTEGER } from '../values.ts';
import { NAME, usersCommand, utc } from './shared.ts';

const SPEC = synopsis({
  name: 'users history',
  summary: 'show what happened to a user',
  arguments: { name: { ...NAME, count: 'optional' } },
  options: {
    id: { value: 'N', description: 'id of the user, also of one who was removed', type: POSITIVE_INTEGER },
    json: JSON_FLAG,
  },
  examples: [['daybook users history --id 7', 'shows who changed user 7, when and how']],
  check: ({ name, id }) => {
    if (name === undefined && id === undefined) return 'NAME or --id N is missing.';
    return name !== undefined && id !== undefined ? 'NAME and --id exclude each other.' : null;
  },
});

export const userHistory = usersCommand('read', SPEC, async ({ name = '', id: asked, json }, dependencies) => {
  const { store, out, siteZone = utc() } = dependencies;
  const id = asked ?? (await idNamed(store, name));
  const entries = await queries.userHistory({ store, siteZone }, id);
  if (entries.length === 0) throw new UsageError(`users history: there never was a user ${id}.`, 1);
  if (json) out(JSON.stringify(entries));
  else for (const line of entries.flatMap(linesOfEntry)) out(line);
});

async function idNamed(store: EventStore, name: string): Promise<number> {
  const stream = await ownerOfName(store, comparedName(name));
  if (stream !== null) return idOfUser(stream);
  throw new UsageError(`users history: there is no user "${name}". Try --id N for one who was removed.`, 1);
}
