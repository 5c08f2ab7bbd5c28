// The routes of the first start, which need no session but the word that the terminal has shown.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ShownSettings } from '../../../../calendar/site/desk/fields.ts';
import type { SiteSettings } from '../../../../calendar/site/domain/site-settings.ts';
import { ApiError } from '../../../../http/errors.ts';
import { type Problem, problemFrom } from '../../../../pages/desk/api.ts';
import type { Desk } from '../../../../pages/desk/dependencies.ts';
import { type DeskSurroundings, textOf } from '../../../../pages/desk/page.ts';
import { leadTo, showTo } from '../../../../pages/desk/show.ts';
import { FIRST_START_PATH, sessionText } from '../../../auth/sessions.ts';
import type { Offered } from '../../http/first-start.ts';
import { setCookie } from '../sign-in-routes.ts';
import { startOverPage, startPage } from './page.ts';

export function startRoutes(app: FastifyInstance, desk: Desk): void {
  const { access, firstStart } = desk;
  const askingOf = ({ id }: FastifyRequest, { now }: DeskSurroundings) => ({ user: null, now, id });

  app.get(FIRST_START_PATH, async (request, reply) => {
    const around = desk.surroundings(request);
    const word = textOf(around.sent, 'word');
    const offered = await firstStart.find(askingOf(request, around), word);
    return offered ? showForm(reply, word, offered, null) : showTo(reply, around, startOverPage(around));
  });

  app.post(FIRST_START_PATH, async (request, reply) => {
    const around = desk.surroundings(request);
    const { form } = around;
    const word = textOf(form, 'word');
    const asking = askingOf(request, around);
    const offered = await firstStart.find(asking, word);
    if (!offered) return showTo(reply, around, startOverPage(around));
    const choices = { login: textOf(form, 'login').trim(), password: textOf(form, 'password') };
    try {
      const user = await firstStart.finish(asking, word, { ...choices, settings: settingsIn(around, offered) });
      setCookie(desk, reply, sessionText(await access.start(asking, { user })));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      const problem = problemFrom(error, around.language);
      // Another tab was faster.
      if ('link' in problem.fields) return showTo(reply, around, startOverPage(around));
      return showForm(reply, word, offered, problem);
    }
    if (textOf(form, 'contents') === 'sample' && offered.calendar === 'empty') await firstStart.fillWithSample(asking);
    return leadTo(reply, '/desk', 'said_started');
  });

  function showForm(reply: FastifyReply, word: string, offered: Offered, problem: Problem | null): FastifyReply {
    const around = desk.surroundings(reply.request);
    return showTo(reply, around, startPage(around, { word, problem, ...offered, ...shownIn(around) }));
  }

  /** What was typed, else what is so far. */
  function shownIn({ form, language }: DeskSurroundings): Pick<ShownSettings, 'values' | 'fixedBy'> {
    const { name, zone, language: own, fixedBy } = desk.site;
    return {
      fixedBy,
      values: {
        site_name: textOf(form, 'site_name') || (name ?? ''),
        timezone: textOf(form, 'timezone') || zone.name,
        language: textOf(form, 'language') || (fixedBy.language ? own.code : language.code),
      },
    };
  }

  /** What is open to choice. */
  function settingsIn({ form }: DeskSurroundings, { calendar }: Offered): Partial<SiteSettings> {
    const { fixedBy } = desk.site;
    const names = (['site_name', 'timezone', 'language'] as const).filter(
      (name) => fixedBy[name] === undefined && (name !== 'timezone' || calendar === 'empty'),
    );
    return Object.fromEntries(names.map((name) => [name, textOf(form, name).trim() || null]));
  }
}
