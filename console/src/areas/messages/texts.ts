/** The words of the messages. */
import { defineTexts } from '../../ui/language.tsx'

// prettier-ignore
export const texts = defineTexts({
  en: {
    title: 'Messages', inbox: 'Inbox', compose: 'New message', unreadOnly: 'Unread only', none: 'No messages', noneBody: 'What people and processes tell you arrives here.', choose: 'Choose a message to read it.',
    from: 'from {sender}', toRole: 'to everyone with the role {role}', system: 'the system', markUnread: 'Mark as unread', markAllRead: 'Mark all as read', unread: 'Unread',
    user: 'A person', role: 'Everyone with a role', recipient: 'Recipient', recipientUser: 'Name of the person', recipientRole: 'Name of the role', subject: 'Subject', body: 'Message', severity: 'Weight',
    INFO: 'Information', WARN: 'Warning', ERROR: 'Error', send: 'Send', sent: 'The message was delivered', reply: 'Reply', replySubject: 'Re: {subject}', older: 'Older messages',
  },
  de: {
    title: 'Nachrichten', inbox: 'Eingang', compose: 'Neue Nachricht', unreadOnly: 'Nur ungelesene', none: 'Keine Nachrichten', noneBody: 'Was Menschen und Abläufe Ihnen mitteilen, kommt hier an.', choose: 'Wählen Sie eine Nachricht, um sie zu lesen.',
    from: 'von {sender}', toRole: 'an alle mit der Rolle {role}', system: 'dem System', markUnread: 'Als ungelesen markieren', markAllRead: 'Alle als gelesen markieren', unread: 'Ungelesen',
    user: 'Eine Person', role: 'Alle mit einer Rolle', recipient: 'Empfänger', recipientUser: 'Name der Person', recipientRole: 'Name der Rolle', subject: 'Betreff', body: 'Nachricht', severity: 'Gewicht',
    INFO: 'Information', WARN: 'Warnung', ERROR: 'Fehler', send: 'Senden', sent: 'Die Nachricht wurde zugestellt', reply: 'Antworten', replySubject: 'Re: {subject}', older: 'Ältere Nachrichten',
  },
})
