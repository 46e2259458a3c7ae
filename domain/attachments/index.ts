export {
  addAttachment,
  deleteAttachment,
  findAttachment,
  findAttachments,
  listAttachments,
} from './attachments.service.ts';
export {
  discardUpload,
  noteUnclaimed,
  removeUnclaimed,
  storeUpload,
  takeUnclaimed,
  UNCLAIMED_FOR_MS,
} from './uploads.service.ts';
export type { Upload } from './uploads.service.ts';
