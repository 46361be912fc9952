/** Texts of the keywords page. */
import { defineTexts } from '../../ui/language.tsx'

export const texts = defineTexts('keywords', {
  title: 'Keywords',
  tree: 'Keywords',
  newKeyword: 'New keyword',
  newBelow: 'New keyword below',
  technicalName: 'Technical name',
  technicalHint: 'Forms the path. Assets stay tagged when you rename it.',
  toTop: 'Move to the top',
  none: 'No keywords yet',
  noneBody: 'Tag assets with keywords to find them again.',
  choose: 'Choose a keyword to translate it.',
  files: 'Show assets with this keyword',
  created: '“{name}” created',
  moved: '“{name}” moved',
  deleted: '“{name}” deleted',
  deleteTitle: 'Delete the keyword “{name}”?',
  deleteBody: 'All keywords below it are deleted too. This cannot be undone.',
  deleteUsed: { one: 'It is removed from one object.', other: 'It is removed from {count} objects.' },
})
