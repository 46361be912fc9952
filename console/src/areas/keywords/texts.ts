/** The words of the keywords. */
import { defineTexts } from '../../ui/language.tsx'

// prettier-ignore
export const texts = defineTexts({
  en: {
    title: 'Keywords', tree: 'Keywords', newKeyword: 'New keyword', newBelow: 'New keyword below', technicalName: 'Technical name', toTop: 'Move to the top', none: 'No keywords yet', noneBody: 'Assets are tagged with keywords and found by them.',
    choose: 'Choose a keyword to translate it.', translations: 'Names by language', nameIn: 'Name in {locale}', technicalHint: 'It forms the path; renaming it keeps the tagged assets.', files: 'Show the assets with this keyword', created: '“{name}” was created', moved: '“{name}” was moved', deleted: '“{name}” was deleted',
    deleteTitle: 'Delete the keyword “{name}”?', deleteBody: 'Everything below it goes too. This cannot be taken back.', deleteUsed: 'One object carries it and loses it.|{count} objects carry it and lose it.',
  },
  de: {
    title: 'Schlagworte', tree: 'Schlagworte', newKeyword: 'Neues Schlagwort', newBelow: 'Neues Schlagwort darunter', technicalName: 'Technischer Name', toTop: 'Nach ganz oben', none: 'Noch keine Schlagworte', noneBody: 'Medien werden mit Schlagworten versehen und durch sie gefunden.',
    choose: 'Wählen Sie ein Schlagwort, um es zu übersetzen.', translations: 'Namen nach Sprache', nameIn: 'Name in {locale}', technicalHint: 'Er bildet den Pfad; beim Umbenennen bleiben die Medien verschlagwortet.', files: 'Medien mit diesem Schlagwort zeigen', created: '„{name}“ wurde angelegt', moved: '„{name}“ wurde verschoben', deleted: '„{name}“ wurde gelöscht',
    deleteTitle: 'Schlagwort „{name}“ löschen?', deleteBody: 'Alles darunter geht mit. Das lässt sich nicht rückgängig machen.', deleteUsed: 'Ein Objekt trägt es und verliert es.|{count} Objekte tragen es und verlieren es.',
  },
})
