// Filters that are one click away: those in use, to be taken away, and others with how many events they would leave.
import { COUNTED_LABELS, LABEL_PARAMETERS, type LabelParameter } from '../../calendar/event/domain/event-labels.ts';
import { EVENT_TRAITS, TRAIT_PARAMETERS } from '../../calendar/event/domain/event-traits.ts';
import { lineOfHtml } from '../../kernel/text/html-text.ts';
import type { FacetCounts, TermView } from '../../queries/published.ts';
import { type Html, html } from '../html.ts';
import { address, type Query } from '../links.ts';
import { valueInWords } from './audience.ts';
import { hueOf } from './event-cards.ts';
import type { Choices, Field } from './filter-form.ts';
import type { Surroundings } from './layout.ts';

/** In the order of `FacetCounts`. */
export const FACET_PERIODS = ['today', 'weekend', 'next_week'] as const;
export const FACET_FLAGS = EVENT_TRAITS.map(({ member }) => member);

export interface FacetContent {
  /** Where the list is, without its filters. */
  readonly path: string;
  /** As they were sent, without the page; coordinates as a place. */
  readonly filters: Query;
  readonly choices: Choices;
  /** The categories that are counted; none where the page itself decides the category. */
  readonly categories: readonly TermView[];
  /** What the page itself decides. */
  readonly without?: readonly Field[];
  /** Null: it is not known what filters would leave. */
  readonly counts: FacetCounts | null;
}

/** A filter with what it is called. */
interface Facet {
  readonly name: Field;
  readonly value: string;
  readonly label: string;
  readonly count: number;
  /** The colour of a category. */
  readonly hue?: string;
}

const MAX_CATEGORIES = 8;
const MAX_LANGUAGES = 6;
/** Others are behind a word. */
const MAX_IN_SIGHT = 12;

export function facetChips(surroundings: Surroundings, content: FacetContent): Html {
  const { words } = surroundings;
  const { path, filters, without = [] } = content;
  const chosen = filters.flatMap(([name, value]) => {
    const label = labelOf(surroundings, content, name, value);
    return label === null ? [] : [{ name, label }];
  });
  const isOpen = (name: Field): boolean => !without.includes(name) && !filters.some(([one]) => one === name);
  const offered = facetsOf(surroundings, content).filter(({ name, count }) => count > 0 && isOpen(name));
  const chips = (some: readonly Facet[]): Html =>
    html`<ul class="chips" aria-label=${words('narrow')}>${some.map(
      ({ name, value, label, count, hue }) =>
        html`<li><a class=${`chip ${hue ?? ''}`.trim()} href=${address(path, [...filters, [name, value]])}>${label}
        <span class="count">${count}</span></a></li>`,
    )}</ul>`;
  return html`<div id="facets" data-live>
    ${
      chosen.length > 0 &&
      html`<ul class="chips" aria-label=${words('filters_in_use')}>
      ${chosen.map(
        ({ name, label }) => html`<li><a class="chip chosen" href=${address(path, besides(filters, name))}
          aria-label=${words('remove_filter', { name: label })}>${label}<span aria-hidden="true"> ×</span></a></li>`,
      )}
      <li><a href=${path}>${words('clear')}</a></li>
    </ul>`
    }
    ${offered.length > 0 && chips(offered.slice(0, MAX_IN_SIGHT))}
    ${
      offered.length > MAX_IN_SIGHT &&
      html`<details><summary>${words('more', { count: offered.length - MAX_IN_SIGHT })}</summary>
        ${chips(offered.slice(MAX_IN_SIGHT))}</details>`
    }
  </div>`;
}

/** A place is taken away with its distance. */
const besides = (filters: Query, name: string): Query =>
  filters.filter(([one]) => one !== name && !(name === 'near' && one === 'geoloc_radius'));

function facetsOf(surroundings: Surroundings, { counts, categories }: FacetContent): readonly Facet[] {
  if (counts === null) return [];
  const { words } = surroundings;
  const facet = (name: Field, value: string, label: string, count = 0): Facet => ({ name, value, label, count });
  const periods = FACET_PERIODS.map((period, at) => facet('when', period, words(period), counts.periods[at]));
  const flags = TRAIT_PARAMETERS.map((wire, at) => facet(wire, '1', words(`only.${wire}`), counts.flags[at]));
  const counted = categories.map((term, at) => ({ term, count: counts.categories[at] ?? 0 }));
  const categoryFacets = counted
    .sort((one, other) => other.count - one.count)
    .slice(0, MAX_CATEGORIES)
    .map(({ term, count }) => ({
      ...facet('categories', term.slug, lineOfHtml(term.name), count),
      hue: hueOf(term),
    }));
  const valuesOf = (name: LabelParameter): Facet[] =>
    COUNTED_LABELS.flatMap(([wire, value], at) => {
      const count = counts.labels[at] ?? 0;
      return wire === name && count > 0 ? [facet(wire, value, valueInWords(surroundings, wire, value), count)] : [];
    });
  const languages = valuesOf('languages')
    .sort((one, other) => other.count - one.count)
    .slice(0, MAX_LANGUAGES);
  return [
    ...periods,
    ...categoryFacets,
    ...flags,
    ...valuesOf('ages'),
    // One language says nothing about its events.
    ...(languages.length > 1 ? languages : []),
  ];
}

/** What a filter in use is called; null for one that is none to its reader. */
function labelOf(surroundings: Surroundings, { choices }: FacetContent, name: string, value: string): string | null {
  const { words } = surroundings;
  const trait = TRAIT_PARAMETERS.find((wire) => wire === name);
  if (trait) return words(`only.${trait}`);
  const label = LABEL_PARAMETERS.find((wire) => wire === name);
  if (label)
    return value
      .split(',')
      .map((one) => valueInWords(surroundings, label, one))
      .join(', ');
  const named = (terms: readonly TermView[]): string =>
    value
      .split(',')
      .map((one) => terms.find(({ id, slug }) => slug === one || String(id) === one)?.name ?? one)
      .map(lineOfHtml)
      .join(', ');
  switch (name) {
    case 'search':
      return `${words('search')}: ${value}`;
    case 'when': {
      const period = FACET_PERIODS.find((one) => one === value);
      return period ? words(period) : value;
    }
    case 'categories':
      return named(choices.categories);
    case 'tags':
      return named(choices.tags);
    case 'venue':
      return lineOfHtml(choices.places.venues.find(({ id }) => String(id) === value)?.venue ?? words('venue'));
    case 'organizer':
      return words('organizers');
    case 'near':
      return `${words('near')}: ${value}`;
    case 'featured':
      return words('featured');
    case 'series':
      return words('repeats');
    default:
      return null;
  }
}
