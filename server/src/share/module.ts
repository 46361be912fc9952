/** The public pages of share pages and upload requests. */
export { sharePages } from './share.ts'
