// Imports as the API shows them.
import type { FastifyRequest } from 'fastify';
import { COLLECTIONS } from '../../../calendar/resource/domain/collections.ts';
import { oneLine } from '../../../kernel/text/plain-text.ts';
import { instantText } from '../../../kernel/time/instant.ts';
import { importReasonIn } from '../../../locales/import-reasons.ts';
import { phrase } from '../../../locales/phrases.ts';
import type { Fault } from '../import-plan.ts';
import type { Job, JobDetails, JobOutline, JobRow } from '../jobs/job.ts';

/** Refusals and notes in an answer: `counts` has the number of all. */
const MAX_FAULTS = 500;

/** Kinds are named as their collections are. */
const pluralOf = (kind: string): string => Object.entries(COLLECTIONS).find(([one]) => one === kind)?.[1] ?? `${kind}s`;

export const shownOutline = (job: JobOutline, { links, language }: Pick<FastifyRequest, 'links' | 'language'>) => ({
  id: job.id,
  correlation_id: job.correlationId,
  source: job.source,
  dry_run: job.mode === 'dry run',
  user: { id: job.user.id, name: job.user.login },
  state: job.state,
  begun: instantText(job.begun),
  ended: job.ended === null ? null : instantText(job.ended),
  done: job.done,
  total: job.total,
  counts: Object.fromEntries([...job.counts].map(([kind, counts]) => [pluralOf(kind), counts])),
  problem: problemIn(job, language),
  url: `${links.root}/imports/${job.id}`,
});

type Words = Pick<FastifyRequest, 'language'>['language'];

function problemIn({ problem, state, done, total }: JobOutline, language: Words): string | null {
  if (state === 'interrupted') return phrase('import_interrupted', { done, total: total ?? '?' })(language);
  return problem === null ? null : language.phrases[`import_${problem}`];
}

export const shownImport = (job: Job, request: Pick<FastifyRequest, 'links' | 'language'>) => ({
  ...shownOutline(job, request),
  ...(job.details && detailsOf(job.details, request.language)),
});

const detailsOf = ({ asked, records, rows, refused, notes, remarks, columns }: JobDetails, language: Words) => ({
  ...{
    records,
    status: asked.status,
    timezone: asked.timezone,
    encoding: asked.encoding,
    map: asked.map?.text ?? null,
  },
  rows: rows.map(shownRow),
  refused: refused.slice(0, MAX_FAULTS).map((fault) => shownFault(fault, language)),
  notes: notes.slice(0, MAX_FAULTS).map((fault) => shownFault(fault, language)),
  remarks: remarks.map((remark) => oneLine(importReasonIn(language, remark))),
  columns: columns.map(({ name, field }) => ({ name: oneLine(name), field })),
});

const shownRow = ({ kind, name, outcome, place, start, changes }: JobRow) => ({
  ...{ kind, name: oneLine(name), outcome, start, changes },
  line: lineOf(place),
});

const shownFault = ({ kind, name, place, reason }: Fault, language: Words) => ({
  ...{ kind, name: oneLine(name), file: place.file, reason: oneLine(importReasonIn(language, reason)) },
  line: lineOf(place),
});

/** Rows of a table have lines; other records are counted. */
export const lineOf = ({ line, index }: Fault['place']): number | null => line ?? (index === null ? null : index + 1);
