import { defineTexts } from '../../ui/language.tsx'

export const collisionTexts = defineTexts({
  en: {
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
  },
  de: {
    title: {
      one: 'Jemand anders hat diesen Wert auch geändert',
      other: 'Jemand anders hat {count} dieser Werte auch geändert',
    },
    hint: 'Wählen Sie, welcher Wert bleibt. Ihre übrigen Änderungen werden mitgespeichert.',
    value: 'Wert',
    before: 'Vorher',
    theirs: 'Der andere',
    mine: 'Meiner',
    allTheirs: 'Alle anderen übernehmen',
    allMine: 'Alle meine behalten',
    deleted: '(gelöscht)',
    empty: '(leer)',
  },
})
