// What pages show with an uploaded picture.
import type { PictureFocus, PictureTexts } from '../calendar/picture/domain/picture.ts';

export type PictureDetails = Pick<PictureTexts, 'alt' | 'credit'> & PictureFocus;
