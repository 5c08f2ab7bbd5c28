// The settings of the site: all who write may read them, administrators set them.
import type { FastifyRequest } from 'fastify';
import type { HistoryRouteDependencies } from '../../../editorial/history/http/history-routes.ts';
import { settingsHistory as readHistory } from '../../../editorial/history/queries/settings-history.ts';
import { entityTag } from '../../../http/answers/etag.ts';
import { refusedParameter } from '../../../http/errors.ts';
import { guardedRoutes } from '../../../http/guarded-routes.ts';
import { answering, listingHistory, reading } from '../../../http/openapi/documentation.ts';
import type { Routes } from '../../../http/route.ts';
import { sendHistory } from '../../../http/routes/pages.ts';
import { contextOf, type RouteDependencies, writtenOr } from '../../../http/routes/writing.ts';
import { onlyPages } from '../../../http/schemas/lists.ts';
import Type from '../../../http/schemas/type.ts';
import { phrase } from '../../../locales/phrases.ts';
import { mayManageSite, maySeeSite } from '../../../people/auth/policy.ts';
import { setSettings, stateOfCalendar } from '../commands/settings.ts';
import { SETTING_NAMES, type SettingName, type SiteSettings } from '../domain/site-settings.ts';
import type { Site } from '../queries/site.ts';
import { settingsRead, settingsSet } from './settings-schema.ts';

const answer = Type.Ref('Settings');
const reader = guardedRoutes({ of: 'endpoint', may: maySeeSite }, { group: 'API' });
const setting = guardedRoutes({ of: 'endpoint', may: mayManageSite }, { group: 'API' });

export interface SettingsRouteDependencies extends Pick<RouteDependencies, 'commands'>, HistoryRouteDependencies {
  readonly site: Site;
}

export const settingsRoutes: Routes<SettingsRouteDependencies> = async (api, dependencies) => {
  const { commands, perPage, site } = dependencies;

  async function settingsObject({ links: { site: address } }: FastifyRequest): Promise<object> {
    const { name, zone, language, prices, imprint, links, logo, accent, layout, fixedBy } = site;
    return {
      site_name: name,
      timezone: zone.name,
      language: language.code,
      currency: prices.currency,
      imprint,
      links,
      logo: logo && { ...logo, url: address + logo.url },
      accent,
      layout,
      fixed_by: fixedBy,
      timezone_is_settled: (await stateOfCalendar(commands.store)) === 'filled',
    };
  }

  api.get(
    '/settings',
    reader(reading, { answer, summary: 'settings.read' }, { querystring: settingsRead }),
    async (request, reply) => {
      await site.look();
      return reply.conditional(JSON.stringify(await settingsObject(request)), tagOf(site.revision));
    },
  );

  api.route({
    method: ['POST', 'PUT', 'PATCH'],
    url: '/settings',
    ...setting(
      answering(200, 'answer.changed', answer, ['ETag']),
      {
        summary: 'settings.set',
        description: 'settings.set_description',
        errors: ['rest_precondition_failed'],
        takes: ['IfMatch', 'ChangeReason'],
        example: { site_name: 'Lantern Bay', currency: 'EUR', imprint: 'https://example.org/imprint' },
      },
      { body: settingsSet },
    ),
    handler: async (request, reply) => {
      const patch = patchIn(request.body);
      refuseFixed(Object.keys(patch), site);
      const set = await setSettings(commands, contextOf(request), patch);
      const { state, revision } = writtenOr(set, request);
      site.note(state, revision);
      return reply.header('etag', tagOf(revision)).send(await settingsObject(request));
    },
  });

  api.get(
    '/settings/history',
    reader(
      listingHistory,
      {
        summary: 'settings.history',
      },
      { querystring: onlyPages({ perPage }) },
    ),
    async ({ language }, reply) => {
      const entries = await readHistory({ ...dependencies, sentences: language.sentences });
      return sendHistory(reply, entries, { perPage, path: 'settings/history', language });
    },
  );
};

/** Counts what was set: settings that have never been set have a tag, too. */
const tagOf = (revision: number): string => entityTag(revision + 1, '');

/** What was sent; an empty text or list takes a choice back. */
function patchIn(body: { readonly [name: string]: unknown }): Partial<SiteSettings> {
  const named = SETTING_NAMES.filter((name) => body[name] !== undefined);
  // A misspelt name is ignored like every unknown parameter: it must not seem to be set.
  if (named.length === 0) throw refusedParameter('site_name', phrase('no_settings', { values: SETTING_NAMES }));
  return Object.fromEntries(named.map((name) => [name, isNothing(body[name]) ? null : body[name]]));
}

const isNothing = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0);

function refuseFixed(names: readonly string[], { fixedBy }: Site): void {
  const fixed = SETTING_NAMES.find((name: SettingName) => names.includes(name) && fixedBy[name] !== undefined);
  if (fixed === undefined) return;
  throw refusedParameter(fixed, phrase('fixed_setting', { name: fixed, setting: fixedBy[fixed] ?? '' }));
}
