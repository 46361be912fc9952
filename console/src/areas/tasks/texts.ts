/** The words of the tasks. */
import { defineTexts } from '../../ui/language.tsx'

// prettier-ignore
export const texts = defineTexts({
  en: {
    title: 'Tasks', inbox: 'Inbox', mine: 'Mine', candidate: 'Of my roles', all: 'All', none: 'Nothing to do', noneHint: 'Tasks come here when a workflow needs you. Start one from the workflows.', workflow: 'Workflow', due: 'Due', overdue: 'overdue', assignee: 'Done by', nobody: 'nobody yet', priority: 'Priority',
    claim: 'Take it', unclaim: 'Give it back', complete: 'Complete', completed: 'The task is done', about: 'What it is about', form: 'Decide', comments: 'Comments', comment: 'Comment', addComment: 'Add comment', diagram: 'Where the process stands', delegate: 'Give it to somebody else', delegateTo: 'User name', taken: 'It is yours now', givenBack: 'Given back', delegated: 'Given to {name}', missing: 'There is no such task', completeAll: 'Complete one|Complete {count}', noForm: 'Nothing needs to be filled in.', ended: 'This task is {state}',
    open: 'open', cancelled: 'cancelled', done: 'done', yes: 'Yes', no: 'No', process: 'Process', openObject: 'Open',
  },
  de: {
    title: 'Aufgaben', inbox: 'Eingang', mine: 'Meine', candidate: 'Meiner Rollen', all: 'Alle', none: 'Nichts zu tun', noneHint: 'Aufgaben kommen hierher, wenn ein Ablauf Sie braucht. Starten Sie einen bei den Abläufen.', workflow: 'Ablauf', due: 'Fällig', overdue: 'überfällig', assignee: 'Bei', nobody: 'noch niemand', priority: 'Vorrang',
    claim: 'Übernehmen', unclaim: 'Zurückgeben', complete: 'Abschließen', completed: 'Die Aufgabe ist erledigt', about: 'Worum es geht', form: 'Entscheiden', comments: 'Kommentare', comment: 'Kommentar', addComment: 'Kommentieren', diagram: 'Wo der Ablauf steht', delegate: 'Weitergeben', delegateTo: 'Anmeldename', taken: 'Sie haben sie jetzt', givenBack: 'Zurückgegeben', delegated: 'An {name} gegeben', missing: 'Diese Aufgabe gibt es nicht', completeAll: 'Eine abschließen|{count} abschließen', noForm: 'Es ist nichts auszufüllen.', ended: 'Diese Aufgabe ist {state}',
    open: 'offen', cancelled: 'abgebrochen', done: 'erledigt', yes: 'Ja', no: 'Nein', process: 'Ablauf', openObject: 'Öffnen',
  },
})
