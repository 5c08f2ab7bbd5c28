// The documentation of the routes of sources.
import Type from 'typebox';
import {
  bodyOf,
  type Described,
  type Documentation,
  documented,
} from '../../../http/openapi/documentation/documentation.ts';
import { SOURCE_EXAMPLES } from '../../../http/openapi/documentation/examples.ts';
import { reading } from '../../../http/openapi/documentation/reads.ts';
import type { Right } from '../../../http/openapi/documentation/rights.ts';
import type { DescriptionKey } from '../../../locales/language.ts';
import { mayImport } from '../../../people/auth/policy.ts';
import { sourceList, sourcePolls } from './source-schema.ts';

/** Whom an installation admits of them, its settings say. */
const right: Right = { of: 'endpoint', may: (caller) => mayImport(caller) };
const about = { group: 'Sources', right } as const;
const answer = Type.Ref('Source');
const errors = ['rest_forbidden', 'rest_source_not_found'] as const;

/** A write of one of them. No read model shows it, so there is no position to wait for. */
const changing = (
  step: Pick<Described, 'summary' | 'description' | 'example'>,
  further: Described['errors'] = [],
  description: DescriptionKey = 'answer.changed',
): Documentation =>
  documented(
    {
      ...{ ...about, ...step, takes: ['ChangeReason', 'IfMatch'] },
      errors: [...errors, 'rest_precondition_failed', ...further],
    },
    { 200: { description, ...bodyOf(answer), carries: ['ETag'] } },
  );

export const SOURCE_DOCUMENTATION = {
  list: reading({ ...about, summary: 'source.list', answer: sourceList, errors: ['rest_forbidden'] }),
  read: reading({ ...about, summary: 'source.read', answer, errors }),
  create: documented(
    {
      ...about,
      summary: 'source.add',
      description: 'source.add_description',
      example: SOURCE_EXAMPLES.create,
      errors: [
        ...(['rest_forbidden', 'rest_precondition_failed'] as const),
        ...(['rest_too_many_sources', 'rest_review_required'] as const),
      ],
      takes: ['ChangeReason', 'IdempotencyKey'],
    },
    { 201: { description: 'answer.created', ...bodyOf(answer), carries: ['ETag', 'Location'] } },
  ),
  change: changing({ summary: 'source.change', description: 'write.merge', example: SOURCE_EXAMPLES.change }, [
    'rest_review_required',
  ]),
  pause: changing({ summary: 'source.pause' }),
  resume: changing({ summary: 'source.resume' }),
  remove: changing({ summary: 'source.remove' }, [], 'answer.deleted'),
  polls: reading({ ...about, summary: 'source.polls', answer: sourcePolls, errors }),
  poll: documented(
    {
      ...about,
      summary: 'source.poll',
      description: 'source.poll_description',
      example: { dry_run: true },
      errors: [...errors, 'rest_source_polling'],
    },
    { 201: { description: 'source_poll', ...bodyOf(Type.Ref('SourcePoll')), carries: [] } },
  ),
} as const;
