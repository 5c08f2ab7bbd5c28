// What pages show with an uploaded picture.
import type { PictureFocus, PictureTexts } from '../calendar/picture/domain/picture.ts';

export type PictureShown = Pick<PictureTexts, 'alt' | 'credit'> & PictureFocus;
