import { defineTexts } from '../../ui/language.tsx'

export const collisionTexts = defineTexts('collisions', {
  title: {
    one: 'Somebody else has changed this value too',
    other: 'Somebody else has changed {count} of these values too',
  },
  hint: 'Choose which value to keep. All your other changes are saved with it.',
  value: 'Value',
  before: 'Before',
  theirs: 'Theirs',
  mine: 'Mine',
  allTheirs: 'Take all of theirs',
  allMine: 'Keep all of mine',
  deleted: '(deleted)',
  empty: '(empty)',
})
