// The thread of read models; see reading-thread.ts.
import type { ReadModel } from '../read-model.ts';
import { openSqliteReadModel } from './open.ts';
import type { ReadingQuestion } from './reading-thread.ts';
import { answerQuestions } from './threads.ts';

const models = new Map<number, ReadModel>();

answerQuestions((question) => {
  const { model, options, method, args } = question as ReadingQuestion; // As reading-thread.ts sends it.
  const readModel = models.get(model) ?? openSqliteReadModel(options);
  models.set(model, readModel);
  if (method === 'close') models.delete(model);
  // The other side sends the arguments of this method.
  return (readModel[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args);
});
