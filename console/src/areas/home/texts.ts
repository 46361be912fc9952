/** The words of the first page. */
import { defineTexts } from '../../ui/language.tsx'

// prettier-ignore
export const texts = defineTexts({
  en: {
    title: 'Home', hello: 'Good day, {name}', products: 'Products', tasks: 'Tasks', overdue: 'none overdue|{count} overdue', noneOverdue: 'none overdue', messages: 'Unread messages', jobs: 'Bulk messages', jobsOpen: '{count} under way', toDo: 'My tasks', noTasks: 'Nothing to do for you', due: 'due {date}',
    completeness: 'Completeness of channels', channel: 'Channel', noChannels: 'There are no channels yet', noChannelsHint: 'A channel shows how ready its products are in each language.', recent: 'Recently edited', noRecent: 'No products yet', running: 'Under way', nothingRunning: 'Nothing is running', of: '{done} of {total}',
    first: 'Three steps to the first product', step1: 'Make a classification', step1Hint: 'A tree of nodes that products are sorted into, and the attributes they have.', step2: 'Create a product', step2Hint: 'Give it a name and a node, then fill in its values.', step3: 'Upload pictures', step3Hint: 'And link them to the product.', index: 'Search index', upToDate: 'up to date', behind: '{seconds} s behind', building: 'being built', missing: '{missing} of {required} values missing',
    showAll: 'Show all', failed: 'failed', finished: 'finished', waiting: 'waiting', runningState: 'running',
  },
  de: {
    title: 'Start', hello: 'Guten Tag, {name}', products: 'Produkte', tasks: 'Aufgaben', overdue: 'eine überfällig|{count} überfällig', noneOverdue: 'keine überfällig', messages: 'Ungelesene Nachrichten', jobs: 'Sammelaufträge', jobsOpen: '{count} in Arbeit', toDo: 'Meine Aufgaben', noTasks: 'Für Sie ist nichts zu tun', due: 'fällig {date}',
    completeness: 'Vollständigkeit der Kanäle', channel: 'Kanal', noChannels: 'Es gibt noch keine Kanäle', noChannelsHint: 'Ein Kanal zeigt, wie weit seine Produkte in jeder Sprache sind.', recent: 'Zuletzt bearbeitet', noRecent: 'Noch keine Produkte', running: 'In Arbeit', nothingRunning: 'Nichts läuft', of: '{done} von {total}',
    first: 'In drei Schritten zum ersten Produkt', step1: 'Eine Klassifikation anlegen', step1Hint: 'Ein Baum von Knoten, in die Produkte einsortiert werden, und die Attribute, die sie haben.', step2: 'Ein Produkt anlegen', step2Hint: 'Mit Namen und Knoten; dann die Werte eintragen.', step3: 'Bilder hochladen', step3Hint: 'Und mit dem Produkt verknüpfen.', index: 'Suchindex', upToDate: 'aktuell', behind: '{seconds} s im Rückstand', building: 'wird aufgebaut', missing: '{missing} von {required} Werten fehlen',
    showAll: 'Alle zeigen', failed: 'gescheitert', finished: 'fertig', waiting: 'wartet', runningState: 'läuft',
  },
})
