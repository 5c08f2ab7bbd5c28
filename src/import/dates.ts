// Dates as records write them: complete, or not at all.
import { parseCivil } from '../time/civil-time.ts';

/** Whether a text is a date and time (`YYYY-MM-DD HH:MM:SS`) that exists. */
export function isWallClock(text: string): boolean {
  try {
    return Number.isInteger(parseCivil(text));
  } catch {
    return false;
  }
}

/** Whether a text is a day (`YYYY-MM-DD`) that exists. */
export const isDay = (text: string): boolean => isWallClock(`${text} 00:00:00`);
