// Why an event is in a list or not: every condition with its verdict and a sentence, and where in the list it is.

import type { EventListInput } from '../../../calendar/event/http/event-schema.ts';
import type { EventListRequest } from '../../../calendar/event/queries/list-events.ts';
import type { Zone } from '../../../kernel/time/zone.ts';
import { phrase, type Wording } from '../../../locales/phrases.ts';
import { type Paging, pageCount } from '../../../queries/arguments.ts';
import type { EventDocument } from '../../../read-model/documents.ts';
import type { ReadModel } from '../../../read-model/read-model.ts';
import { PARAMETER_OF, sentenceOn } from './sentences.ts';
import { type Telling, type Verdicts, verdictsOn } from './verdicts.ts';

interface ExplainedCondition {
  readonly condition: string;
  readonly passes: boolean;
  readonly sentence: Wording;
}

export interface WhyListed {
  /** On whatever page. */
  readonly isListed: boolean;
  readonly isOnPage: boolean;
  readonly summary: Wording;
  /** From 1; null when it is not in the list. */
  readonly place: number | null;
  readonly page: number | null;
  readonly placeOnPage: number | null;
  readonly total: number;
  readonly pages: number;
  readonly conditions: readonly ExplainedCondition[];
}

interface WhyQuestion extends EventListRequest {
  readonly readModel: Pick<ReadModel, 'explainEvent'>;
  readonly event: Pick<EventDocument, 'id' | 'status' | 'startsAt' | 'endsAt'>;
  readonly given: EventListInput;
  readonly siteZone: Zone;
  /** Of a list of the past: its instant, as clients read it. */
  readonly asOf: string | null;
}

export async function whyListed({ readModel, query, paging, ...told }: WhyQuestion): Promise<WhyListed> {
  const telling: Telling = told.asOf === null ? 'all' : 'public as of';
  const found = await verdictsOn(readModel, query, told.event, telling);
  const conditions = found.verdicts.map((verdict) => ({
    condition: PARAMETER_OF[verdict.name],
    passes: verdict.passes,
    sentence: sentenceOn(verdict, told),
  }));
  const { total } = found;
  const pages = pageCount(total, paging);
  const where = whereIn(found, paging);
  if (where === null) {
    const unmet = new Set(conditions.filter(({ passes }) => !passes).map(({ condition }) => condition));
    return {
      isListed: false,
      isOnPage: false,
      summary: phrase('why_not_listed', { conditions: [...unmet] }),
      place: null,
      page: null,
      placeOnPage: null,
      total,
      pages,
      conditions,
    };
  }
  const { place, page } = where;
  const isOnPage = page === paging.page;
  const sentence = isOnPage
    ? phrase('why_on_page', { place, total, page })
    : phrase('why_on_other_page', { place, total, page, asked: paging.page });
  return {
    isListed: true,
    isOnPage,
    summary: phrase(isOnPage ? 'why_listed' : 'why_other_page', { place, total, page }),
    ...where,
    total,
    pages,
    conditions: [...conditions, { condition: 'page', passes: isOnPage, sentence }],
  };
}

function whereIn({ place }: Verdicts, { perPage }: Paging) {
  if (place === null) return null;
  const page = Math.ceil(place / perPage);
  return { place, page, placeOnPage: place - (page - 1) * perPage };
}
