/** The words of the glossaries. */
import { defineTexts } from '../../ui/language.tsx'

// prettier-ignore
export const texts = defineTexts({
  en: {
    title: 'Glossaries', list: 'Glossaries', newGlossary: 'New glossary', glossaryName: 'Name of the glossary', none: 'No glossaries yet', noneBody: 'A glossary says how things are called in each language, and which words are not to be used.', choose: 'Choose a glossary to see its entries.',
    deleteGlossary: 'Delete the glossary “{name}”?', deleteGlossaryBody: 'Its entries go with it: {count}. This cannot be taken back.', deleted: '“{name}” was deleted', entriesLabel: 'Entries', newEntry: 'New entry', editEntry: 'Entry', noEntries: 'No entries yet', noEntriesBody: 'Add the first term with its translations.',
    source: 'Language of the entry', textIn: 'Text in {locale}', kind: 'Kind', term: 'Term', sentence: 'Sentence', forbidden: 'Forbidden', forbiddenHint: 'Editors are warned where they use it.', forbiddenIn: 'Forbidden in {locale}', translations: 'Translations', deleteEntry: 'Delete the entry “{text}”?', deleteEntryBody: 'Its translations go with it.',
  },
  de: {
    title: 'Glossare', list: 'Glossare', newGlossary: 'Neues Glossar', glossaryName: 'Name des Glossars', none: 'Noch keine Glossare', noneBody: 'Ein Glossar sagt, wie etwas in jeder Sprache heißt und welche Wörter nicht verwendet werden sollen.', choose: 'Wählen Sie ein Glossar, um seine Einträge zu sehen.',
    deleteGlossary: 'Glossar „{name}“ löschen?', deleteGlossaryBody: 'Seine Einträge gehen mit: {count}. Das lässt sich nicht rückgängig machen.', deleted: '„{name}“ wurde gelöscht', entriesLabel: 'Einträge', newEntry: 'Neuer Eintrag', editEntry: 'Eintrag', noEntries: 'Noch keine Einträge', noEntriesBody: 'Fügen Sie den ersten Begriff mit seinen Übersetzungen hinzu.',
    source: 'Sprache des Eintrags', textIn: 'Text in {locale}', kind: 'Art', term: 'Begriff', sentence: 'Satz', forbidden: 'Verboten', forbiddenHint: 'Wer es verwendet, wird gewarnt.', forbiddenIn: 'Verboten in {locale}', translations: 'Übersetzungen', deleteEntry: 'Eintrag „{text}“ löschen?', deleteEntryBody: 'Seine Übersetzungen gehen mit.',
  },
})
