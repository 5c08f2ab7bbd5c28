// Whether everything that was written can be read again: the log fits together, and views made of it anew are those in use.
import { isDeepStrictEqual } from 'node:util';
import { allProjections, fingerprintOf } from '../../projections/catalogue.ts';
import { keyOf } from '../../projections/projection.ts';
import { slugOwners } from '../../src/commands/reservations/slugs.ts';
import { loadHistory } from '../../src/editorial/history/queries/history.ts';
import { RESOURCE_KINDS } from '../../src/editorial/history/queries/resource.ts';
import { createLogChecker, replayLog } from '../../src/log/hash-chain/verify.ts';
import { currentSchemaVersion } from '../../src/log/upcasting/upcast.ts';
import { documentsFromLog } from '../../src/queries/log-fallback.ts';
import type { DocumentKey } from '../../src/read-model/documents.ts';
import { catchUp } from '../../src/read-model/projector/catch-up.ts';
import { openSqliteReadModel } from '../../src/read-model/sqlite/open.ts';
import type { TestService } from '../support/service.ts';

export interface Aftermath {
  readonly events: number;
  readonly documents: number;
  /** What is not as it has to be, in words. */
  readonly problems: readonly string[];
}

export async function aftermathOf({ store, stores, readModel }: TestService): Promise<Aftermath> {
  const { rendering, rawLog } = stores;
  const projections = allProjections(rendering);
  const checker = createLogChecker({ newestVersion: currentSchemaVersion });
  const streams = new Set<string>();
  const observe = ({ stream }: { readonly stream: string }): void => void streams.add(stream);
  await replayLog({ log: rawLog, checker, observe, onProgress: () => {} });
  const report = checker.report();
  const problems = report.findings.map(({ stream, misfit, expected }) => `${stream}: ${misfit}, expected ${expected}`);
  const keys = [...streams].flatMap((stream) =>
    projections.flatMap((projection) => {
      const key = stream.startsWith(projection.prefix) ? keyOf(projection, stream) : null;
      return key ? [key] : [];
    }),
  );
  problems.push(...(await inexplicable(store, stores, keys)));
  const anew = openSqliteReadModel({ file: ':memory:', fingerprint: fingerprintOf() });
  await catchUp(store, anew, projections);
  const fromLog = documentsFromLog(store, projections, slugOwners(store));
  const live = await readModel.fetch(keys);
  for (const [name, other] of [
    ['a rebuild', anew],
    ['the log', fromLog],
  ] as const) {
    const documents = await other.fetch(keys);
    for (const [at, { kind, id }] of keys.entries())
      if (!isDeepStrictEqual(documents[at], live[at])) problems.push(`${kind} ${id} is another one in ${name}`);
  }
  if (!isDeepStrictEqual(await anew.terms(), await readModel.terms()))
    problems.push('a rebuild counts terms otherwise');
  await anew.close();
  return { events: report.events, documents: keys.length, problems };
}

/** Resources with events that history does not understand. */
async function inexplicable(
  store: TestService['store'],
  { rendering }: TestService['stores'],
  keys: readonly DocumentKey[],
): Promise<string[]> {
  const dependencies = { store, foldings: allProjections(rendering), display: rendering };
  const problems: string[] = [];
  for (const { kind, id } of keys) {
    const resource = RESOURCE_KINDS.find((one) => one === kind);
    if (!resource) continue;
    const history = await loadHistory(dependencies, { kind: resource, id });
    const strange = history?.steps.find(({ understood }) => !understood);
    if (strange) problems.push(`${kind} ${id} has ${strange.event.type}, of which nothing is understood`);
  }
  return problems;
}
