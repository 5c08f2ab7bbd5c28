// Unsaved forms in a folder that all processes share, one file each, under the key of their user: erasing the user makes them
// unreadable at once, also in copies. The time of a file is that of its last write. A file `.ended` beside it says
// that its form has: it stays when a late write passes it.
import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openQueue } from '../../kernel/event-loop/shared-work.ts';
import { isOfSystem, missing } from '../../kernel/files/missing.ts';
import { makePrivateFolder } from '../../kernel/files/private-files.ts';
import type { EpochSeconds } from '../../kernel/time/zone.ts';
import { decryptText, encryptText } from '../personal-data/facts/encrypting-store.ts';
import type { KeyRing } from '../personal-data/facts/key-ring.ts';
import {
  EXPIRES_SECONDS,
  type FormPlace,
  isFormPlace,
  MAX_UNSAVED,
  type UnsavedForm,
  type UnsavedForms,
  UnsavedUnavailable,
} from './unsaved-forms.ts';

const FILE_MODE = 0o600;
const ENDED = '.ended';
/** Long after a page that was left has sent its last words. */
const ENDED_FOR_SECONDS = 3_600;

interface Entry extends FormPlace {
  readonly file: string;
  readonly at: EpochSeconds;
  readonly isEnded: boolean;
}

/** The folder is created with the first form. */
export function openUnsavedFolder(folder: string, keys: Pick<KeyRing, 'look' | 'make'>): UnsavedForms {
  /** What was sent before is not written behind what was sent after it, however long it takes. */
  const inOrder = openQueue();

  async function whileUsable<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      if (!isOfSystem(error)) throw error;
      throw new UnsavedUnavailable(`The folder of unsaved forms ${folder} cannot be used: ${error.message}.`);
    }
  }

  async function entryIn(name: string): Promise<Entry | null> {
    const file = path.join(folder, name);
    const stats = await stat(file).catch(missing);
    const [user, form = '', key = ''] = name.split('.');
    const at = Math.floor((stats?.mtimeMs ?? 0) / 1000);
    return stats && { user: Number(user), form, key, file, at, isEnded: name.endsWith(ENDED) };
  }

  async function entriesOf(prefix: string): Promise<Entry[]> {
    const names = (await readdir(folder).catch(missing)) ?? [];
    const entries = await Promise.all(names.filter((name) => name.startsWith(prefix)).map(entryIn));
    return entries.filter((one) => one !== null);
  }

  /** What has expired and what writing has left over is removed; of this user's forms the oldest. */
  async function makeRoom(user: number, now: EpochSeconds): Promise<void> {
    const entries = await entriesOf('');
    const isOver = ({ at, isEnded, ...place }: Entry): boolean =>
      at < now - (isEnded || !isFormPlace(place) ? ENDED_FOR_SECONDS : EXPIRES_SECONDS);
    const own = entries.filter((one) => one.user === user && !one.isEnded).sort((one, other) => other.at - one.at);
    for (const { file } of [...entries.filter(isOver), ...own.slice(MAX_UNSAVED - 1)]) await rm(file, { force: true });
  }

  async function write(file: string, text: string, now: EpochSeconds): Promise<void> {
    makePrivateFolder(folder);
    const beside = path.join(folder, randomUUID());
    await writeFile(beside, text, { mode: FILE_MODE });
    await utimes(beside, now, now);
    await rename(beside, file);
  }

  async function read({ user, form, key, file, at }: Entry): Promise<UnsavedForm | null> {
    const encrypted = await readFile(file, 'utf8').catch(missing);
    const subject = subjectOf(user);
    const state = (await keys.look(new Set([subject]), new Set()))(subject);
    if (encrypted === null || state === undefined || state === 'destroyed') return null;
    const fields = decryptText(state, contextOf({ user, form, key }), { $sealed: encrypted });
    return fields === null ? null : { form, key, at, fields };
  }

  const fileOf = (place: FormPlace): string => {
    if (!isFormPlace(place)) throw new Error(`${JSON.stringify(place)} is no form`);
    return path.join(folder, `${place.user}.${place.form}.${place.key}`);
  };

  const hasEnded = async (file: string): Promise<boolean> => (await stat(file + ENDED).catch(missing)) !== null;

  return {
    put: (place, fields, now) =>
      whileUsable(() =>
        inOrder(async () => {
          const file = fileOf(place);
          if (await hasEnded(file)) return false;
          if (fields === '') {
            await rm(file, { force: true });
            return true;
          }
          const subject = subjectOf(place.user);
          const key = (await keys.make([subject])).get(subject);
          if (key === undefined || key === 'destroyed') return false;
          if ((await stat(file).catch(missing)) === null) await makeRoom(place.user, now);
          await write(file, encryptText(key, contextOf(place), fields).$sealed, now);
          if (!(await hasEnded(file))) return true;
          // The form was saved while this was on its way.
          await rm(file, { force: true });
          return false;
        }),
      ),
    list: (user, now) =>
      whileUsable(async () => {
        const open = (await entriesOf(`${user}.`)).filter(({ at, isEnded }) => !isEnded && at >= now - EXPIRES_SECONDS);
        const forms = await Promise.all(open.map(read));
        return forms.filter((one) => one !== null).sort((one, other) => other.at - one.at);
      }),
    end: (place, now) =>
      whileUsable(async () => {
        const file = fileOf(place);
        await write(file + ENDED, '', now);
        await rm(file, { force: true });
      }),
  };
}

const subjectOf = (user: number): string => `user-${user}`;

/** So that no file can be put in the place of another one. */
const contextOf = ({ user, form, key }: FormPlace) => ({
  stream: subjectOf(user),
  type: 'UnsavedForm',
  field: form,
  id: key,
});
