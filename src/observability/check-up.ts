// Findings about an installation, from outside of the service: each says what to do.

import { counted } from '../kernel/text/counted.ts';
import type { EpochSeconds } from '../kernel/time/zone.ts';
import { LOG_START } from '../log/envelope.ts';
import { type EventStore, lastEvent, type StreamReader } from '../log/event-store.ts';
import type { Disagreement } from '../read-model/agreement.ts';
import type { ParkedDocument } from '../read-model/documents.ts';
import { LAGGING_AFTER_SECONDS } from './health.ts';
import { createLagMeter } from './lag.ts';

export interface Finding {
  /** The subject of a check, in a word or two. */
  readonly about: string;
  /** `warning`: it works and needs attention. `problem`: something does not work. */
  readonly state: 'well' | 'warning' | 'problem';
  readonly said: string;
  /** What to do; absent if nothing is. */
  readonly advice?: string;
}

const well = (about: string, said: string): Finding => ({ about, state: 'well', said });

/** Unknown names in the environment that look like settings: a mistyped setting silently keeps its default. */
export function unknownSettings(
  environment: { readonly [name: string]: unknown },
  names: readonly string[],
): Finding[] {
  const unknown = Object.keys(environment).filter((name) => name.startsWith('DAYBOOK_') && !names.includes(name));
  return unknown.map((name) => ({
    about: 'settings',
    state: 'warning',
    said: `${name} is not a setting and has no effect.`,
    advice: `Correct its name or remove it; the settings are ${names.join(', ')}.`,
  }));
}

/** `version` is `process.versions.node`. bin/daybook.mjs has refused older ones. */
export const runtimeFinding = (version: string): Finding => well('runtime', `Node ${version}.`);

/** Pictures that lack files, by their ids, and files that belong to no picture or are unfinished. */
interface PictureFiles {
  readonly incomplete: readonly number[];
  readonly left: readonly string[];
}

/** Nothing is said where there are no pictures. */
export function picturesFinding(folder: string, pictures: number, { incomplete, left }: PictureFiles): Finding[] {
  if (incomplete.length > 0)
    return [
      {
        about: 'pictures',
        state: 'problem',
        said: `Files of ${counted(incomplete.length, 'picture')} are missing in ${folder}, the first is ${incomplete[0]}.`,
        advice: 'Set DAYBOOK_MEDIA to where they are, or copy the folder media of a backup there.',
      },
    ];
  const over =
    left.length === 0
      ? ''
      : ` ${counted(left.length, 'file')} there may be deleted: no picture has them, the first is ${left[0]}.`;
  return pictures + left.length === 0
    ? []
    : [well('pictures', `All files of ${counted(pictures, 'picture')} are there.${over}`)];
}

const LITTLE_SPACE = 256 * 2 ** 20;

/** `free`: bytes left for the files in a folder. */
export function spaceFinding(folder: string, free: number): Finding {
  const said = `${Math.floor(free / 2 ** 20)} MiB free in ${folder}.`;
  if (free >= LITTLE_SPACE) return well('disk', said);
  const advice = 'Make room: without it writes are refused with 503, and nothing that was acknowledged is lost.';
  return { about: 'disk', state: 'warning', said, advice };
}

/** Seconds by which clocks of several machines may differ. */
const TOLERATED_SECONDS = 5;

/**
 * Compares the clock with the log: recorded events are in the past. Only streams that every creation writes to are
 * read, so a clock that has always been wrong is not noticed.
 */
export async function clockFinding(store: StreamReader, now: EpochSeconds): Promise<Finding> {
  const newest = await Promise.all(
    ['ids-post', 'ids-term', 'ids-user', 'projection-control'].map(async (stream) => {
      const last = await lastEvent(store, stream);
      return last === undefined ? 0 : Date.parse(last.metadata.instant) / 1000;
    }),
  );
  const ahead = Math.round(Math.max(...newest) - now);
  const said = `The system clock shows ${new Date(now * 1000).toISOString()}.`;
  if (ahead <= TOLERATED_SECONDS) return well('clock', said);
  return {
    about: 'clock',
    state: 'problem',
    said: `${said} The log has an event recorded ${ahead} s later.`,
    advice: 'Set the clock of this machine by a time service; scheduled events are published by it.',
  };
}

/** The zone rules of this process and of the log; both null if unknown. */
export function zoneRulesFinding(process: string | null, log: string | null): Finding {
  if (process === null) return well('zones', 'It is unknown which zone rules this runtime has.');
  if (log === null) return well('zones', `${process}; the log has none recorded yet.`);
  if (process === log) return well('zones', `${process}, the same as in the log.`);
  const said = `${process}, ${process < log ? 'older' : 'newer'} than in the log (${log}).`;
  const advice =
    process < log
      ? 'Run a newer Node: events written by this one may be off by an hour until a newer one sees them.'
      : 'The next start of the service adjusts future events; `daybook zones` shows which.';
  return { about: 'zones', state: 'warning', said, advice };
}

interface ViewsToCheck {
  readonly store: Pick<EventStore, 'head' | 'readAll'>;
  readonly checkpoint: string;
  readonly prefixes: readonly string[];
  readonly now: () => EpochSeconds;
  /** Resources with an event that cannot be folded. */
  readonly parked: readonly Pick<ParkedDocument, 'at' | 'why'>[];
}

/** How far the read model is behind the log, and whether all of it could be folded. */
export async function viewsFinding({ store, checkpoint, prefixes, now, parked }: ViewsToCheck): Promise<Finding> {
  const [first] = parked;
  if (first !== undefined) {
    const { stream, type, position } = first.at;
    const said = `${counted(parked.length, 'resource')} parked, shown as before an event that cannot be applied; the first: ${stream}, ${type} at position ${position} (${first.why}).`;
    const advice = 'Run the version that wrote it, or a newer one; see `daybook projections status`.';
    return { about: 'views', state: 'problem', said, advice };
  }
  const lag = await createLagMeter({ store, prefixes, now }).measure(checkpoint, await store.head());
  if (lag.events === 0)
    return well(
      'views',
      checkpoint === LOG_START ? 'The log has nothing to show yet.' : 'They are up to date with the log.',
    );
  const said = `They are ${lag.counted === 'exactly' ? '' : 'at least '}${counted(lag.events, 'event')} and ${lag.seconds} s behind the log.`;
  if (lag.seconds <= LAGGING_AFTER_SECONDS) return well('views', said);
  const advice = 'Start `daybook serve` (or a projector): it applies what is missing. If one runs, see its log.';
  return { about: 'views', state: 'warning', said, advice };
}

/** A read model that was built from another log, or from a later copy of this one; also one that was found damaged. */
export const strangeViewsFinding: Finding = {
  about: 'views',
  state: 'problem',
  said: 'They belong to another log or to a later copy of this one, or are damaged; they are not shown.',
  advice:
    'A running service or projector refills them automatically; `daybook rebuild` does so without one. If this is the wrong log, correct DAYBOOK_EVENT_STORE first.',
};

/** `damaged`: documents that are not what was written; at least one. */
export function damagedViewsFinding(damaged: readonly Disagreement[]): Finding {
  const [first] = damaged;
  const name = first && `the ${first.part} of ${first.key ? `${first.key.kind} ${first.key.id}` : 'any resource'}`;
  const more = damaged.length === 1 ? '' : ` and ${damaged.length - 1} more`;
  return {
    about: 'views',
    state: 'problem',
    said: `Damaged, and therefore not shown: ${name}${more}.`,
    advice:
      'A running service refills the read model when it reads what is damaged; `daybook rebuild` does so at once. Check the disk.',
  };
}

/** `administrators`: how many can sign in. */
export function administratorsFinding(administrators: number): Finding {
  if (administrators > 0)
    return well(
      'users',
      `Administrators who can sign in: ${administrators}. If a token is lost, \`daybook users token NAME\` issues another one.`,
    );
  return {
    about: 'users',
    state: 'warning',
    said: 'No user can sign in as an administrator.',
    advice: 'Run `daybook users add NAME --role administrator`; the first `daybook serve` on an empty store adds one.',
  };
}

/** `unreadable`: the users and organizers, by their streams, whose personal data no key decrypts. */
export function keysFinding(unreadable: readonly string[]): Finding {
  const [first] = unreadable;
  if (first === undefined) return well('keys', 'All personal data in the log can be read, or has been erased.');
  const more = unreadable.length === 1 ? '' : ` and ${unreadable.length - 1} more`;
  return {
    about: 'keys',
    state: 'problem',
    said: `The personal data of ${first}${more} cannot be read because the key is lost: it is shown as [unreadable].`,
    advice:
      'Restore a newer backup of the keys, then run `daybook rebuild`. Without one, enter the data again, or erase it.',
  };
}
