// `daybook purge`: follows the changes of a running service, and tells caches in front of it what to forget.
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../config.ts';
import type { CalendarSettings } from '../exchange/mcp/calendar-settings.ts';
import { command, type ValueType } from './command.ts';
import { UsageError } from './errors.ts';
import { interruption, say, warn } from './terminal.ts';

interface PurgeDependencies {
  /** The service, and a token of a user who may follow its changes. */
  readonly calendar: CalendarSettings;
  /** The file of the last position that all caches know of; named in the options, or this one. */
  readonly ownState: string;
  /** Milliseconds until it tries again; doubled up to half a minute. */
  readonly pauseMs: number;
  /** Writes one line of output, given without its end. */
  readonly out: (line: string) => void;
  /** Writes a line for people. */
  readonly warn: (line: string) => void;
  /** Ctrl-C. */
  readonly signal: AbortSignal;
}

const ADDRESS: ValueType<string> = {
  must: 'an address such as http://127.0.0.1:6081',
  read: (text) => (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : undefined),
};

export const purgeCommand = command(
  {
    name: 'purge',
    description: [
      'Follows the changes of the service at DAYBOOK_URL as the user whose token is DAYBOOK_TOKEN (an editor or administrator), and sends each cache a PURGE request with the header Surrogate-Key, which names the outdated answers, or * for all. docs/deploy/varnish.vcl handles it. A cache that is unavailable is purged when it is back. Ctrl-C ends it.',
    ],
    arguments: {
      caches: { label: 'CACHE', description: 'address of a cache', type: ADDRESS, count: 'many' },
    },
    options: {
      state: {
        value: 'FILE',
        description: 'where it stores its position; without that file the caches are emptied once',
        otherwise: 'purge.position in the data folder',
      },
    },
    examples: [['daybook purge http://127.0.0.1:6081', 'keeps a Varnish on this machine up to date']],
  },
  async ({ caches, state }, { calendar, ownState, pauseMs, out, warn: report, signal }: PurgeDependencies) => {
    const file = state ?? ownState;
    const { root, token } = calendar;
    const headers = {
      accept: 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    };

    /** Rejects with `UsageError` for what will not change by itself. */
    async function ask(target: string, more: { readonly [name: string]: string } = {}): Promise<Page> {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
      const answer = await fetch(root + target, { headers: { ...headers, ...more }, signal: limit });
      if (answer.ok) return (await answer.json()) as Page; // As the document of the API says.
      await answer.body?.cancel();
      const why = `${root} answers ${answer.status}`;
      if (answer.status >= 500 || answer.status === 429) throw new Error(why);
      throw new UsageError(`${why}: DAYBOOK_TOKEN must be the token of an editor or administrator.`, 1);
    }

    async function tell(names: readonly string[]): Promise<void> {
      for (const cache of caches) {
        const headers = { 'surrogate-key': names.join(' ') };
        const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
        const answer = await fetch(cache, { method: 'PURGE', headers, signal: limit });
        await answer.body?.cancel();
        if (!answer.ok) throw new Error(`${cache} answers ${answer.status}`);
      }
    }

    /** Until it succeeds, or all is to end (null). */
    async function withRetries<Result>(work: () => Promise<Result>): Promise<Result | null> {
      for (let pause = pauseMs; !signal.aborted; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
        try {
          return await work();
        } catch (error) {
          if (signal.aborted || error instanceof UsageError) {
            if (signal.aborted) return null;
            throw error;
          }
          report(`${reasonOf(error)}; retrying`);
          await sleep(pause, undefined, { signal }).catch(() => {});
        }
      }
      return null;
    }

    /** Readers get what the caches fetch next: the read model must have the change by then. */
    const whenShown = (position: string): Promise<unknown> =>
      ask('/events?per_page=1', { 'x-daybook-position': position });

    /** Null: all is to end. */
    const tellAll = (names: readonly string[]) => withRetries(() => tell(names).then(() => true));

    async function forget(names: readonly string[], upTo: string): Promise<void> {
      if (!(await tellAll(names))) return;
      out(`${upTo}: ${names.join(' ')}`);
      await sleep(SECOND_TIME_MS, undefined, { signal }).catch(() => {});
      if (!(await tellAll(names))) return;
      await writeFile(`${file}.new`, upTo);
      await rename(`${file}.new`, file);
    }

    let position = (await readFile(file, 'utf8').catch(() => '')).trim();
    if (position === '') {
      const end = await withRetries(() => ask('/changes?after=end&per_page=1'));
      if (end) await forget(ALL, end.next);
      position = end?.next ?? '';
    }
    while (!signal.aborted) {
      const page = await withRetries(() =>
        ask(`/changes?per_page=100&wait=${WAIT}&after=${encodeURIComponent(position)}`),
      );
      if (!page) break;
      const last = page.changes.at(-1);
      if (last) {
        await withRetries(() => whenShown(last.position));
        await forget(namesOf(page.changes), page.next);
      }
      position = page.next;
    }
    return 0;
  },
  (work) => {
    const { calendar, dataDir } = readConfig(process.env);
    const ownState = path.join(dataDir, 'purge.position');
    return work({ calendar, ownState, pauseMs: 500, out: say, warn, signal: interruption() });
  },
);

/** Everything. */
const ALL = ['*'];
/** Seconds for which a request waits for changes. */
const WAIT = 50;
const ANSWER_WITHIN_MS = (WAIT + 20) * 1_000;
const MAX_PAUSE_MS = 30_000;
/** An answer that was on its way to a cache when it was purged is forgotten by the second time. */
const SECOND_TIME_MS = 1_000;

interface Change {
  readonly position: string;
  readonly kind: string;
  readonly id: number;
}

interface Page {
  readonly changes: readonly Change[];
  readonly next: string;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}

const SHOWN: ReadonlySet<string> = new Set([
  ...['event', 'venue', 'organizer', 'category', 'tag', 'series', 'picture'],
]);

/** What answers may show of these changes: each, all lists, and numbers and names of categories and tags. */
function namesOf(changes: readonly Change[]): readonly string[] {
  if (changes.some(({ kind }) => kind === 'settings')) return ALL;
  const own = changes.flatMap(({ kind, id }) => (SHOWN.has(kind) ? [`${kind}-${id}`] : []));
  return ['list', 'terms', ...new Set(own)];
}
