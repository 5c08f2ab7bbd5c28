// The list of uploaded pictures, the newest first.

import { openTurns } from '../../../kernel/event-loop/turns.ts';
import { foldLetters } from '../../../kernel/text/ascii-folding.ts';
import { type Paging, windowOf } from '../../../queries/arguments.ts';
import { writtenBy } from '../../../read-model/documents.ts';
import type { ReadModel } from '../../../read-model/read-model.ts';
import type { Picture } from '../domain/picture.ts';

interface PictureListInput {
  /** Only what this user has uploaded. */
  readonly author?: number;
  /** Words that must occur in the title, in the alternative text, in the credit or in the name of the file. */
  readonly search?: string;
}

type Models = Pick<ReadModel, 'countNamed' | 'namedPage' | 'fetch'>;

/** Documents fetched at once. */
const PORTION = 100;

/**
 * A search reads all pictures, in turns with other requests: only those who may upload request it, and the read model
 * has no index for it.
 */
export async function listPictures(readModel: Models, { author, search }: PictureListInput, paging: Paging) {
  const name = author === undefined ? 'all' : writtenBy(author);
  const total = await readModel.countNamed('picture', name);
  const words = wordsIn(search ?? '');
  const { offset, limit } = windowOf(paging);
  if (words.length === 0) {
    const ids = await readModel.namedPage('picture', name, { offset, limit });
    return { total, pictures: await picturesOf(readModel, ids) };
  }
  const turn = openTurns();
  const matches: Picture[] = [];
  let ids = await readModel.namedPage('picture', name, { offset: 0, limit: PORTION });
  for (let below = ids.at(-1); below !== undefined; below = ids.at(-1)) {
    matches.push(...(await picturesOf(readModel, ids)).filter((picture) => hasAll(picture, words)));
    await turn();
    ids = await readModel.namedPage('picture', name, { below, offset: 0, limit: PORTION });
  }
  return { total: matches.length, pictures: matches.slice(offset, offset + limit) };
}

const wordsIn = (search: string): readonly string[] => foldLetters(search).split(/\s+/).filter(Boolean);

const hasAll = ({ title, alt, credit, file }: Picture, words: readonly string[]): boolean => {
  const texts = [title, alt, credit, file.name].map(foldLetters);
  return words.every((word) => texts.some((text) => text.includes(word)));
};

async function picturesOf(readModel: Models, ids: readonly number[]): Promise<Picture[]> {
  const documents = await readModel.fetch(ids.map((id) => ({ kind: 'picture', id })));
  // As the projection of pictures stores it.
  return documents.flatMap((document) => (document ? [document.state as unknown as Picture] : []));
}
