// A button that is pressed twice: the second form, sent while the first is carried out or right after, gets the answer of
// the first. Otherwise its user would read that what they asked for cannot be done, because it is done.
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { ParameterMap } from '../../http/parameters/parameter-map.ts';
import type { FormAnswers } from '../../people/users/http/form-answers.ts';
import { textOf } from './page.ts';
import { leadTo } from './show.ts';

/** After the answer. A form that is sent again later, from the page before, is meant again. */
const REMEMBERED_MS = 3_000;
const MAX_FORMS = 1_000;

/** A path of the desk; null: the form was shown again, or its answer is no page to lead to. */
type Led = string | null;

declare module 'fastify' {
  interface FastifyRequest {
    /** Tells those who sent the same form where it has led; null for what nothing waits for. */
    pressed: ((led: Led) => Promise<void>) | null;
  }
}

/**
 * Adds it to all routes of `app`; forms are known by their hidden `_key`, their user and their content. `elsewhere`: where they
 * have led in other processes; null: there are none.
 */
export function answerPressedTwice(app: FastifyInstance, elsewhere: FormAnswers | null): void {
  const forms = new LRUCache<string, Promise<Led>>({ max: MAX_FORMS });
  app.decorateRequest('pressed', null);

  app.addHook('preHandler', async (request, reply) => {
    const name = nameOf(request);
    if (name === null) return undefined;
    const first = forms.get(name);
    const led = first ? await first : null;
    if (led !== null) return leadTo(reply, led);
    const { promise, resolve } = Promise.withResolvers<Led>();
    forms.set(name, promise, { ttl: 0 });
    const answered = (to: Led): void => {
      resolve(to);
      if (to === null) forms.delete(name);
      else forms.set(name, promise, { ttl: REMEMBERED_MS });
    };
    request.pressed = async (to) => answered(to);
    if (elsewhere === null) return undefined;
    const { user, now } = request.desk;
    const taken = await elsewhere({ name, user, now, id: request.id });
    if (taken.kind === 'led') return leadTo(reply, taken.to);
    request.pressed = async (to) => {
      // Before the answer: what is sent after it finds where it has led.
      await taken.tell(to);
      answered(to);
    };
    return undefined;
  });

  app.addHook('onSend', async (request, reply) => {
    const { pressed } = request;
    request.pressed = null;
    await pressed?.(reply.statusCode === 303 ? String(reply.getHeader('location')) : null);
  });
}

/** Null for what is no form, and for files: those have a key of their own. */
function nameOf({ method, url, body, desk, upload }: FastifyRequest): string | null {
  if (method !== 'POST' || upload?.file || !desk?.user) return null;
  const key = textOf((body ?? {}) as ParameterMap, '_key'); // What the parser of forms makes.
  if (key === '') return null;
  return createHash('sha256')
    .update(JSON.stringify([desk.user.id, url, body]))
    .digest('hex');
}
