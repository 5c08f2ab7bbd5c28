import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createCalendarEvent } from '../../src/calendar/event/commands/events.ts';
import { recordMark } from '../../src/calendar/zone-rules/commands/zone-rules.ts';
import { commandDependencies } from '../../src/commands/dependencies.ts';
import { openLog } from '../../src/composition.ts';
import { readConfig } from '../../src/config.ts';
import { resolveZone } from '../../src/kernel/time/zone.ts';
import type { NewEvent } from '../../src/log/envelope.ts';
import type { EventStore } from '../../src/log/event-store.ts';
import { systemActor, systemMetadata } from '../../src/log/writing.ts';
import { endOf } from '../support/ends.ts';
import { EDITOR, written } from '../support/given.ts';
import { type Example, examplesIn, isAsSaid, runInShell } from '../support/guide.ts';
import { runHere } from '../support/here.ts';
import { serving } from '../support/process.ts';
import { temporaryFolder } from '../support/service.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

type Settings = { readonly DAYBOOK_DATA_DIR: string };

const run = async (settings: Settings, ...args: string[]): Promise<void> => {
  const { code, errors } = await runHere(args, settings);
  assert.is(code, 0, errors);
};

/** Three events with a venue, an organizer and a category. */
const filled = (settings: Settings): Promise<void> => run(settings, 'import', 'examples/market.ics');

/** The same, after a service has run: with an administrator and a read model. */
async function served(settings: Settings): Promise<void> {
  await filled(settings);
  await run(settings, 'users', 'add', 'ada', '--role', 'administrator');
  assert.is(await (await serving(settings)).stop(), 0);
}

/** The same as `filled`, with an event that was changed behind Daybook's back. */
async function damaged(settings: Settings): Promise<void> {
  await filled(settings);
  await run(settings, 'rebuild');
  const log = new Database(path.join(settings.DAYBOOK_DATA_DIR, 'daybook.db'));
  log.exec(`UPDATE events SET data = replace(data, 'Farmers', 'Flea') WHERE type = 'SeriesOpened'`);
  log.close();
}

const now = () => ({ now: Math.floor(Date.now() / 1000), correlationId: randomUUID() });

const withStore = async (settings: Settings, work: (store: EventStore) => Promise<unknown>): Promise<void> => {
  const log = await openLog(readConfig({ ...settings }));
  await work(log.store);
  await log.close();
};

/**
 * The same as `filled`, with an event that no version of Daybook can fold, and parks its venue. No service has run: what
 * one writes by itself, such as the rules of time zones that it knows, would be in the log or not.
 */
async function poisoned(settings: Settings): Promise<void> {
  await filled(settings);
  const metadata = systemMetadata({ actor: systemActor('test'), ...now() });
  const events = [{ id: randomUUID(), type: 'VenueFrobnicated', schemaVersion: 1, data: {}, metadata }];
  await withStore(settings, async (store) =>
    store.append([{ stream: 'venue-1', expected: await endOf(store, 'venue-1'), events }]),
  );
  await run(settings, 'rebuild');
}

const WINTER = Date.UTC(2050, 11, 16) / 1000;
/** British Columbia has ended the change of clocks in 2026. */
const knowsNewRules = resolveZone('America/Vancouver')?.offsetAt(WINTER) === -7 * 3_600;

/** Instants as they were under the former rules. */
const anHourLater = (event: NewEvent): NewEvent => ({
  ...event,
  data: JSON.parse(
    JSON.stringify(event.data).replace(
      /"(startsAt|endsAt)":(\d+)/g,
      (_, name, at) => `"${name}":${Number(at) + 3_600}`,
    ),
  ),
});

/** An event that was written under older zone rules. */
async function underOlderRules(settings: Settings): Promise<void> {
  const config = readConfig({ ...settings });
  await withStore(settings, async (store) => {
    const older: EventStore = {
      ...store,
      append: (batch) => store.append(batch.map((one) => ({ ...one, events: one.events.map(anHourLater) }))),
    };
    const context = { caller: EDITOR, ...now(), reason: undefined, ifRevision: undefined, idempotencyKey: undefined };
    const times = { start: '2050-12-15 19:00:00', end: '2050-12-15 22:00:00', timezone: 'America/Vancouver' };
    const input = { title: 'Winter concert', status: 'publish', times } as const;
    await written(createCalendarEvent(commandDependencies({ store: older, idBlock: 1 }, config), context, input));
    await recordMark({ store, newEventId: randomUUID }, now(), 'ZoneRulesAdopted', '2025b', -1);
  });
}

const sections: readonly { page: string; heading: string; prepare: (settings: Settings) => Promise<void> }[] = [
  { page: 'monitor', heading: 'Doctor', prepare: served },
  { page: 'back-up', heading: 'Backup and restore', prepare: filled },
  { page: 'back-up', heading: 'Verify', prepare: damaged },
  { page: 'rebuild', heading: 'Rebuild', prepare: served },
  { page: 'rebuild', heading: 'Poison events', prepare: poisoned },
  ...(knowsNewRules ? [{ page: 'upgrade', heading: 'Zone rules', prepare: underOlderRules }] : []),
];

/** A clone to run commands in. Of what they write for people only errors are shown. */
function linkClone(folder: string): void {
  symlinkSync(path.join(root, 'examples'), path.join(folder, 'examples'));
  mkdirSync(path.join(folder, 'bin'));
  const launcher = `#!/bin/sh\n{ '${root}bin/daybook' "$@" 2>&1 >&3 | grep '^daybook: '; } 3>&1\nexit 0\n`;
  writeFileSync(path.join(folder, 'bin/daybook'), launcher, { mode: 0o755 });
}

const textOf = (page: string): string => readFileSync(path.join(root, `docs/operations/${page}.md`), 'utf8');

const examplesOf = (page: string, heading: string): Example[] => {
  const text = textOf(page);
  const from = text.split('\n').indexOf(`## ${heading}`);
  const to = text.split('\n').findIndex((line, index) => index > from && line.startsWith('## '));
  return examplesIn(text).filter(({ line }) => line > from && (to === -1 || line <= to));
};

for (const { page, heading, prepare } of sections)
  test(`the examples of operations/${page}.md, ${heading}, answer what they show`, async () => {
    const { folder, remove } = temporaryFolder();
    try {
      linkClone(folder);
      await prepare({ DAYBOOK_DATA_DIR: path.join(folder, 'data') });
      const examples = examplesOf(page, heading);
      assert.ok(examples.length > 0);
      const commands = examples.map(({ command }) => command);
      const [, ...answers] = await runInShell([`cd '${folder}'`, ...commands], { PORT: '1', DAYBOOK_DATA_DIR: '' });
      const wrong = examples.flatMap(({ line, command, expected }, index) => {
        const said = expected.replaceAll(':8080', ':1').replaceAll('2026c', process.versions.tz ?? '');
        const answer = answers[index] ?? '';
        return isAsSaid(answer, said) ? [] : [`${page}.md:${line}: ${command}\n  answers ${answer.slice(0, 1_500)}`];
      });
      assert.equal(wrong, []);
    } finally {
      remove();
    }
  });

test.run();
