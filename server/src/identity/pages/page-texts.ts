/** What the pages of identity say, in the languages of the console, and which of them a browser asks for. */

// prettier-ignore
const en = {
  userName: 'User name', password: 'Password', newPassword: 'New password', newPasswordAgain: 'New password again', presentPassword: 'Present password',
  passwordHint: 'At least 12 characters. A few words that do not belong together are a good one.', code: 'Code', codeIfAny: 'Code of your authenticator app, if you use one',
  signIn: 'Sign in', choosePassword: 'Choose a password', chosenByOthers: 'Somebody else chose the one you came with. From now on only you should know it.', saveAndGoOn: 'Save and go on',
  enterCode: 'Enter a code', whereCodeIs: 'Your authenticator app shows it. If you have lost the app, use one of your recovery codes.', goOn: 'Go on',
  changeYourPassword: 'Change your password', whatChangeEnds: 'Everything you are signed in to ends, and you sign in anew with the new one.', changePassword: 'Change password',
  passwordChanged: 'Password changed', yourPasswordIsChanged: 'Your password is changed', signInAgain: 'Sign in again with the new one. Tokens you had made are void.',
  signOut: 'Sign out', signOutAsked: 'Sign out?', whatSignOutEnds: 'Every application you opened in this browser with this account is signed out too.', staySignedIn: 'Stay signed in',
  signedOut: 'Signed out', youAreSignedOut: 'You are signed out', closeWindow: 'You can close this window.',
  notPossible: 'Not possible', didNotWork: 'This did not work', goBack: 'Go back to the application and try again.',
  expired: 'This sign-in has expired or was started in another window.', tooMany: 'Too many sign-ins at this moment. Try again in a minute.', tooManyAttempts: 'Too many attempts at this moment. Try again in a minute.',
  wrong: 'User name or password is wrong.', wrongCode: 'This code is wrong, or was used before.', wrongAny: 'User name, password or code is wrong.', codeMissing: 'Give the code of your authenticator app, too.',
  notTheSame: 'The two new passwords are not the same.', otherSite: 'This form was sent by another site.',
}
export type PageWords = Readonly<Record<keyof typeof en, string>>

// prettier-ignore
const de: PageWords = {
  userName: 'Benutzername', password: 'Passwort', newPassword: 'Neues Passwort', newPasswordAgain: 'Neues Passwort noch einmal', presentPassword: 'Jetziges Passwort',
  passwordHint: 'Mindestens 12 Zeichen. Ein paar Wörter, die nicht zusammengehören, sind ein gutes.', code: 'Code', codeIfAny: 'Code Ihrer Authenticator-App, falls Sie eine nutzen',
  signIn: 'Anmelden', choosePassword: 'Passwort wählen', chosenByOthers: 'Das bisherige hat jemand anders gewählt. Von nun an sollen nur Sie es kennen.', saveAndGoOn: 'Speichern und weiter',
  enterCode: 'Code eingeben', whereCodeIs: 'Ihre Authenticator-App zeigt ihn. Haben Sie die App nicht mehr, nehmen Sie einen Ihrer Wiederherstellungscodes.', goOn: 'Weiter',
  changeYourPassword: 'Passwort ändern', whatChangeEnds: 'Alle Ihre Sitzungen enden, und Sie melden sich mit dem neuen Passwort neu an.', changePassword: 'Passwort ändern',
  passwordChanged: 'Passwort geändert', yourPasswordIsChanged: 'Ihr Passwort ist geändert', signInAgain: 'Melden Sie sich mit dem neuen wieder an. Ihre eigenen Tokens gelten nicht mehr.',
  signOut: 'Abmelden', signOutAsked: 'Abmelden?', whatSignOutEnds: 'Alle Anwendungen, die Sie in diesem Browser mit diesem Konto geöffnet haben, werden mit abgemeldet.', staySignedIn: 'Angemeldet bleiben',
  signedOut: 'Abgemeldet', youAreSignedOut: 'Sie sind abgemeldet', closeWindow: 'Sie können dieses Fenster schließen.',
  notPossible: 'Nicht möglich', didNotWork: 'Das hat nicht geklappt', goBack: 'Gehen Sie zurück zur Anwendung und versuchen Sie es noch einmal.',
  expired: 'Diese Anmeldung ist abgelaufen oder wurde in einem anderen Fenster begonnen.', tooMany: 'Gerade gibt es zu viele Anmeldungen. Versuchen Sie es in einer Minute noch einmal.', tooManyAttempts: 'Gerade gibt es zu viele Versuche. Versuchen Sie es in einer Minute noch einmal.',
  wrong: 'Benutzername oder Passwort ist falsch.', wrongCode: 'Dieser Code ist falsch oder wurde schon benutzt.', wrongAny: 'Benutzername, Passwort oder Code ist falsch.', codeMissing: 'Geben Sie auch den Code Ihrer Authenticator-App ein.',
  notTheSame: 'Die beiden neuen Passwörter sind nicht gleich.', otherSite: 'Dieses Formular kam von einer anderen Seite.',
}

export const pageWords = { en, de }
export type PageLanguage = keyof typeof pageWords

/** The first of ours in an Accept-Language such as `fr, de-AT;q=0.8, en;q=0.5`; English, when there is none. */
export function languageOf(accepted = ''): PageLanguage {
  const wanted = accepted.split(',').map((part) => {
    const [tag = '', weight = 'q=1'] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/)
    return { language: tag.split('-')[0]!, weight: Number(weight.replace('q=', '')) }
  })
  const best = wanted
    .filter(({ language, weight }) => Object.hasOwn(pageWords, language) && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)[0]
  return (best?.language as PageLanguage | undefined) ?? 'en'
}
