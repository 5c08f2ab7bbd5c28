// The installation on one page, for administrators: what follows, what is old, what fails, what is about to expire.

import { isFailing as isSourceFailing, SOURCES, type Source } from '../../exchange/sources/desk/reading.ts';
import { isFailing as isWebhookFailing, WEBHOOKS, type Webhook } from '../../exchange/webhooks/desk/reading.ts';
import { forbidden } from '../../http/errors.ts';
import type { DeskWord } from '../../locales/language.ts';
import { mayManageSite } from '../../people/auth/policy.ts';
import { siteMomentText } from '../dates.ts';
import { type Html, html } from '../html.ts';
import type { Problem } from './api.ts';
import type { DeskRequest, DeskSection, Installation } from './page.ts';
import { show } from './show.ts';
import { titlesOf } from './titles.ts';

const SYSTEM = '/desk/system';
const DAY = 86_400;
/** After so many seconds a backup is old, and before as many a certificate is about to expire. */
const OLD_BACKUP = 7 * DAY;
const SOON = 14 * DAY;
/** Parked resources that are named. */
const NAMED = 10;

export const systemSection: DeskSection = {
  word: 'system',
  path: SYSTEM,
  may: mayManageSite,
  routes(app, installation) {
    app.get(SYSTEM, async ({ desk }, reply) => {
      const { words, user } = desk;
      if (!mayManageSite(user)) throw forbidden(user);
      const lines = await linesOf(desk, installation);
      return show(reply, {
        title: words('system'),
        section: SYSTEM,
        main: [html`<h1>${words('system')}</h1>`, html`<ul class="rows">${lines.map((line) => row(desk, line))}</ul>`],
      });
    });
  },
};

interface Line {
  readonly about: DeskWord;
  readonly said: string;
  readonly state: 'well' | 'bad' | 'unknown';
  /** Where it is mended. */
  readonly path?: string;
}

async function linesOf(request: DeskRequest, { examine, parked }: Installation): Promise<readonly Line[]> {
  const { words, now, api } = request;
  const [state, all, sources, webhooks] = await Promise.all([
    examine(),
    parked(),
    api.ask<{ readonly sources: readonly Source[] }>('/sources'),
    api.ask<{ readonly webhooks: readonly Webhook[] }>('/webhooks'),
  ]);
  const { hasLog, lagSeconds, isFollowing, built, backedUp, certified, versions } = state;
  const named = all.slice(0, NAMED).map(({ resource }) => resource);
  const titles = await titlesOf(request, named);
  const dated = (at: number | null): string => (at === null ? words('system_unknown') : siteMomentText(request, at));
  return [
    { about: 'system_log', said: words(hasLog ? 'system_answers' : 'system_silent'), state: hasLog ? 'well' : 'bad' },
    {
      about: 'system_views',
      state: isFollowing ? 'well' : 'bad',
      said: lagSeconds === null ? words('system_unknown') : words('system_behind', { seconds: Math.ceil(lagSeconds) }),
    },
    { about: 'system_built', said: dated(built), state: built === null ? 'unknown' : 'well' },
    {
      about: 'system_backup',
      said: backedUp === null ? words('system_never') : siteMomentText(request, backedUp),
      state: backedUp !== null && now - backedUp < OLD_BACKUP ? 'well' : 'bad',
    },
    {
      about: 'system_parked',
      said: named.length === 0 ? words('system_none') : named.map(titles).join(' · '),
      state: named.length === 0 ? 'well' : 'bad',
    },
    {
      about: 'sources',
      path: SOURCES,
      ...counted(words, sources.problem ?? sources.body.sources, isSourceFailing),
    },
    {
      about: 'webhooks',
      path: WEBHOOKS,
      ...counted(words, webhooks.problem ?? webhooks.body.webhooks, isWebhookFailing),
    },
    {
      about: 'system_certificate',
      said: dated(certified),
      state: certified === null ? 'unknown' : certified - now > SOON ? 'well' : 'bad',
    },
    { about: 'system_versions', said: versions.join(' · '), state: 'well' },
  ];
}

/** How many of them fail, or why that is not known. */
function counted<Item>(
  words: DeskRequest['words'],
  all: readonly Item[] | Problem,
  isFailing: (item: Item) => boolean,
): Pick<Line, 'said' | 'state'> {
  if ('message' in all) return { said: all.message, state: 'unknown' };
  const failing = all.filter(isFailing).length;
  return { said: words('system_failing', { failing, all: all.length }), state: failing === 0 ? 'well' : 'bad' };
}

const row = ({ words }: DeskRequest, { about, said, state, path }: Line): Html =>
  html`<li><div><p class="what">${path === undefined ? words(about) : html`<a href=${path}>${words(about)}</a>`}</p><p class="hint">${said}</p></div>
    ${state !== 'unknown' && html`<span class=${state === 'well' ? 'label good' : 'label bad'}>${words(state === 'well' ? 'system_well' : 'system_look')}</span>`}</li>`;
