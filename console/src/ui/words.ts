/** Former name of common-texts.ts. */
export { commonTexts as words } from './common-texts.ts'
