export {
  addAttachment,
  deleteAttachment,
  findAttachment,
  findAttachments,
  listAttachments,
} from './attachments.service.ts';
export { discardUpload, removeUnclaimed, storeUpload } from './uploads.service.ts';
export type { Upload } from './uploads.service.ts';
