// English: the photo of a gate.

export const gatePhoto = {
  title: 'Photo',
  none: 'Guests with several gates recognise this one by its photo. Its place and other hidden data are taken out before it is sent.',
  shown: 'Guests see it beside the name of the gate.',
  choose: 'Choose a photo',
  replace: 'Replace',
  remove: 'Remove',
  sending: 'Saving…',
  unreadable: 'The browser cannot read this file as a picture. Choose a JPEG or a PNG.',
  notSaved: 'Not saved.',
  notTaken: 'The cloud does not take this picture. Choose another one.',
  changed: 'Somebody else has changed the photo meanwhile. Look at it, then choose again.',
  removeTitle: 'Remove the photo?',
  removeText: 'It cannot be brought back from here.',
  removing: 'Removing…',
}
