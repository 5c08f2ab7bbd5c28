// What the routes of many sections do alike: forms about one resource, and settings that others may have changed meanwhile.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ID } from '../../http/plugins/routing.ts';
import type { DeskWord } from '../../locales/language.ts';
import type { ApiAnswer, Problem, WriteTerms } from './api.ts';
import { type DeskRequest, textOf } from './page.ts';
import { leadTo } from './show.ts';

export interface ById {
  readonly Params: { readonly id: string };
}

/** Shows the page of one resource again, with the reason why its form was refused. */
type ShowAgain = (reply: FastifyReply, id: string, problem: Problem) => Promise<FastifyReply>;

/** The way to carry a form out by the API. */
type Send = (desk: DeskRequest, id: string) => Promise<Pick<ApiAnswer<unknown>, 'problem'>>;

/**
 * Adds forms below the address of one resource, each by its name (`''`: the address itself), the word that is said when it was
 * carried out, and where it leads: default, back to the resource.
 */
export const formsOf =
  (app: FastifyInstance, section: string, again: ShowAgain) =>
  (name: string, said: DeskWord, send: Send, to?: string): void => {
    app.post<ById>(`${section}/${ID}${name && `/${name}`}`, async ({ desk, params: { id } }, reply) => {
      const { problem } = await send(desk, id);
      return problem ? again(reply, id, problem) : leadTo(reply, to ?? `${section}/${id}`, said);
    });
  };

interface Saving {
  /** The path of the collection in the API. */
  readonly path: string;
  readonly members: object;
  readonly terms?: WriteTerms;
  /** Where the form leads. */
  readonly to: string;
  readonly again: (problem: Problem) => Promise<FastifyReply>;
}

/** Saves a form that was shown with a tag. If others were faster it is shown as it is now, without what was typed. */
export async function saveTagged(
  reply: FastifyReply,
  { path, members, terms, to, again }: Saving,
): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { api, form, words } = desk;
  const { problem } = await api.send('PATCH', path, members, { ...terms, ifMatch: textOf(form, '_tag') });
  if (problem === null) return leadTo(reply, to, 'said_saved');
  if (problem.status !== 412) return again(problem);
  withoutForm(reply);
  return again({ ...problem, message: words('others_changed') });
}

/** Lets the page show what is saved instead of what was typed. */
export function withoutForm({ request }: FastifyReply): void {
  request.desk = { ...request.desk, form: {} };
}
