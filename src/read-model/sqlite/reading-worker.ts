// The thread of read models; see reading-thread.ts.
import type { Document } from '../documents.ts';
import type { PageOf } from '../queries.ts';
import type { ReadModel } from '../read-model.ts';
import { openSqliteReadModel } from './open.ts';
import { packedBuffers } from './packed-texts.ts';
import { openPortions, type Portion } from './portions.ts';
import type { ReadingQuestion } from './reading-thread.ts';
import { answerQuestions } from './threads.ts';

const models = new Map<number, ReadModel>();
const portions = openPortions();

/** An answer of `method`, in portions where it may be long. */
function portioned(method: keyof ReadModel, answer: unknown): unknown {
  // What the methods of these names return.
  if (method === 'fetch') return portions.first(answer as (Document | null)[]);
  if (method !== 'listEvents' && method !== 'listLinkedPosts') return answer;
  const { items, total } = answer as PageOf<Document>;
  return { ...portions.first(items), total };
}

async function answerTo(question: ReadingQuestion): Promise<unknown> {
  if ('rest' in question) return portions.next(question.rest);
  const { model, options, method, args } = question;
  const readModel = models.get(model) ?? openSqliteReadModel(options);
  models.set(model, readModel);
  if (method === 'close') models.delete(model);
  // The other side sends the arguments of this method.
  return portioned(method, await (readModel[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args));
}

const isPortion = (answer: unknown): answer is Portion =>
  typeof answer === 'object' && answer !== null && 'packed' in answer;

answerQuestions(
  (question) => answerTo(question as ReadingQuestion), // As reading-thread.ts sends it.
  (answer) => (isPortion(answer) ? packedBuffers(answer.packed) : []),
);
