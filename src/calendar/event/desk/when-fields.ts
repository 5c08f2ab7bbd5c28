// When an event takes place: beginning and end, the whole day, its zone, and how it repeats.
import type { Problem } from '../../../pages/desk/api.ts';
import { checkField, described, field } from '../../../pages/desk/forms.ts';
import { isMoment, momentField, notAMoment } from '../../../pages/desk/moments.ts';
import type { DeskRequest } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { recurrenceFields } from './repeating.ts';
import type { SeriesContent } from './series.ts';
import type { EventValues } from './values.ts';
import { CITIES } from './zones.ts';

interface WhenContent {
  /** Undefined: it is new. */
  readonly id: string | undefined;
  readonly values: EventValues;
  readonly problem: Problem | null;
  readonly series: SeriesContent | null;
}

export function whenFields(request: DeskRequest, fields: WhenContent): Html {
  const { words } = request;
  const { values, problem, series, id } = fields;
  return html`<fieldset class="fields box when">
    <legend>${words('when')}</legend>
    <div class="pair">
      ${moment(request, fields, 'start_date')}
      ${moment(request, fields, 'end_date')}
    </div>
    ${checkField('all_day', words('field_all_day'), values.all_day !== '')}
    ${zoneField(request, fields)}
    ${(id === undefined || series !== null) && recurrenceFields(request, { series, problems: problem?.fields ?? {} })}
  </fieldset>`;
}

const moment = (request: DeskRequest, { values, problem }: WhenContent, name: 'start_date' | 'end_date'): Html =>
  momentField(
    request,
    { name, label: request.words(`field_${name}`), value: values[name], problem: problem?.fields[name] },
    { required: true },
  );

/** Folded: it is that of the site until an editor looks for another one, by its city. */
function zoneField({ words }: DeskRequest, { values: { timezone }, problem }: WhenContent): Html {
  const zone = {
    name: 'timezone',
    label: words('field_timezone'),
    hint: words('hint_timezone'),
    problem: problem?.fields.timezone,
  };
  return html`<details open=${zone.problem !== undefined}>
    <summary>${words('zone_of', { zone: timezone })}</summary>
    ${field(
      zone,
      html`<input id="timezone" name="timezone" value=${timezone} list="zones" maxlength="100" autocomplete="off" spellcheck="false"
        ...${described(zone)} />`,
    )}
    <datalist id="zones">${CITIES.map(([name, city]) => html`<option value=${name}>${city}</option>`)}</datalist>
  </details>`;
}

/** What the API refuses of a moment or a zone that it cannot read is said as the form would have it. */
export function unreadAsTyped(request: DeskRequest, values: EventValues, fields: Problem['fields']): Problem['fields'] {
  const unread = (['start_date', 'end_date', 'date'] as const).filter(
    (name) => fields[name] !== undefined && !isMoment(values[name]),
  );
  return {
    ...fields,
    ...Object.fromEntries(unread.map((name) => [name, notAMoment(request)])),
    ...(fields.timezone !== undefined && { timezone: request.words('no_such_zone') }),
  };
}
