// Recording, describing and removing uploaded pictures. Their files are kept before a picture is recorded, and deleted
// after its removal is: what a crash leaves over are files without a picture, never a picture without its files.

import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import {
  type CommandResult,
  handleCommand,
  handleCommandOnce,
  recordDecision,
} from '../../../commands/handle-command.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import { type Decision, rejected } from '../../../domain/decider.ts';
import { oneLine } from '../../../kernel/text/plain-text.ts';
import { factOf, fold, instantOf } from '../../../log/envelope.ts';
import type { EventStore, StreamReader } from '../../../log/event-store.ts';
import { mayChangePicture, mayUpload } from '../../../people/auth/policy.ts';
import {
  describePicture,
  evolvePicture,
  type Picture,
  type PictureFact,
  type PictureFocus,
  type PictureTexts,
  removePicture,
} from '../domain/picture.ts';

const PICTURES = { kind: 'picture', evolve: evolvePicture } as const;

type PictureResult = Promise<CommandResult<Picture>>;

/** A picture that was ever recorded; null if there is none. */
export const loadPicture = async (store: StreamReader, id: number): Promise<Picture | null> =>
  fold(await store.readStream(streamOf('picture', id)), evolvePicture);

/** A picture that has its files; null if there is none. */
export async function findPicture(store: StreamReader, id: number): Promise<Picture | null> {
  const picture = await loadPicture(store, id);
  return picture?.removed ? null : picture;
}

/** All pictures that have their files. Rejections: those of the store. */
export async function allPictures(store: Pick<EventStore, 'readByStream' | 'head'>): Promise<Picture[]> {
  const states = new Map<string, Picture | null>();
  for await (const events of store.readByStream({ upTo: await store.head(), prefixes: ['picture-'] }))
    for (const event of events) {
      const before = states.get(event.stream) ?? null;
      states.set(event.stream, evolvePicture(before, factOf(event), instantOf(event)));
    }
  return [...states.values()].filter((picture) => picture !== null).filter(({ removed }) => !removed);
}

/** Records a picture whose files are kept already. Rejections: `forbidden`, `busy`. */
export function recordPicture(
  dependencies: CommandDependencies,
  context: CommandContext,
  uploaded: Pick<Picture, 'file' | 'sizes'> & PictureTexts,
): PictureResult {
  return handleCommandOnce(dependencies, context, PICTURES, [], async (unit) => {
    const { caller } = context;
    if (!mayUpload(caller)) return rejected('forbidden');
    const id = await unit.nextId(dependencies.postIds, 'picture');
    const { file, sizes, ...texts } = uploaded;
    const data = { id, author: caller?.id ?? 0, ...onOneLine(texts), file, sizes };
    const decision: Decision<PictureFact> = { kind: 'accepted', facts: [{ type: 'PictureUploaded', data }] };
    return recordDecision(unit, PICTURES, id, decision, 'created');
  });
}

/** Other words about a picture, or another point of it. Rejections: `picture_not_found`, `forbidden`, `precondition_failed`, `busy`. */
export const describePictureOf = (
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
  texts: Partial<PictureTexts>,
  focus: Partial<PictureFocus>,
): PictureResult =>
  step(dependencies, context, id, (picture) => describePicture(picture, { ...onOneLine(texts), ...focus }));

/** Removes a picture that no post shows. Rejections: as above, and `picture_in_use`. */
export const removePictureOf = (
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
  shownBy: number,
): PictureResult => step(dependencies, context, id, (picture) => removePicture(picture, shownBy));

const onOneLine = <Texts extends Partial<PictureTexts>>(texts: Texts): Texts =>
  // The same members.
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, oneLine(text)])) as Texts;

function step(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
  decide: (picture: Picture) => Decision<PictureFact>,
): PictureResult {
  const stream = streamOf('picture', id);
  return handleCommand(dependencies, context, [stream], async (unit) => {
    const { state, revision } = await unit.load(stream, evolvePicture);
    if (!state) return rejected('picture_not_found');
    if (!mayChangePicture(context.caller, state)) return rejected('forbidden');
    if (context.ifRevision !== undefined && context.ifRevision !== revision) return rejected('precondition_failed');
    return recordDecision(unit, PICTURES, id, decide(state));
  });
}
