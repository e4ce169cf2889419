// The mark at the head of each mail: a picture inside the message.

// Gmail shows no SVG and no `data:` address, and has no `transform` that could turn a leaf made of borders (caniemail.com:
// image-svg, image-base64, css-transform). A picture that travels in the message is shown by all of them, and nothing is loaded. It is
// drawn as `guest/browser/mark.svg`, three pixels for one, in the dark colours of the tokens on a tile of the tint of `call`. One
// picture has to suit a light ground and a dark one: Outlook turns the colours of a mail over and leaves pictures as they are, and
// Gmail on Android turns grey ones over too, but none of colours. A light tile would be the brightest thing of a dark mail.

/** The name of the picture in the message (RFC 2392). */
export const markId = 'mark@callgate'

export const markPng = Buffer.from(
  [
    'iVBORw0KGgoAAAANSUhEUgAAAGwAAABsCAMAAAC4uKf/AAAAhFBMVEUAAAAAAFUAADMAIEAUFDsSJEkaIEYZI0caI0YaI0cYJEUZI0YaI0YZJEYZJEca',
    'JEYaJEf///+Tq/9yeI1CSmfU1t2eorFwhMq4u8ZNXJW4yP8uN1eCmeZfZn7r7O+Fi51fcrHU3v9RWXMjLU6qrrs/ToDf4eV6j9nHydKkuP8yP2yPlKX3',
    'dsbrAAAAEHRSTlMAAwUIDQ4oSFhsiJiowNXssS4sVAAAA3ZJREFUeNrFmut2qjAQhe2p9colSER7IkGJUlrf//26qpaAQjKDYbp/s/xMMrOTTGY0atFk',
    'vvT8IGS9FAa+t5xPRhD9my4C5kDBYvpiY82ckG68mRE1dYi64KadqFePOZf32s6aBGwABa2hMg3ZIApbpnLBBtOckMXY4i7i2aBq5MCEDaxalIzDoWHh',
    'uIJ5bHB5ZJNYn0ifAubfspmR6JrbAQ0sIFux31WbU8HmVOFxC5E3RqY3uln8ccglHWxJYVXasnw6mE+V0te0RnwseJ7G5yzORc99BgoT8VZGWsU2Vnga',
    'CKbO6+hRZSwGgGUy6tBZOYalRdStInUJU9vIrK1wBuNFZJPMHcFSGQGUOoElEUyxA9gjSxbrct0y2vPTsPghr26Brnhc9hpbNyy/+/PizlEaA5TqKZho',
    '/FgiWmyl/gF/Clbao5vXTEx/od43+xMOltZY6668VfofVdN4Wv1og4LVkrlUdn/ZVrO/umqPgNUisTCu/fnum48bbKXAMKWjQ1qWnp+LIql++f2XtTqB',
    'YXHbykM2vlUPmLb6BLVh7TUMPI1KDwy1GX9p1gYcIGnPge00TIBhCc4YHqNj9Q7PsyoWJYYlNGsHdxBRDeyIgW007AsO4/g9uPIpg1m1w/I+S6Z25rDv',
    'gqV9An9vi44OmPaPXin2gdrPsh6wD2t0WEemeqTYHrdTp+gAqRnwTuFg+NDfm90eltSxGwM22hXWQWwGbIQVOG+ERUcX7IhaNLsBA/ez0okBm3dqiRja',
    'CRgdnWcQPY+FCwM2w2rn4cyBAVsOqWvoWS6HGLAFVrsvGU+p/BMcHYaz/hZE4xKaYkYYh9wruTyADNh6P2tcqJPWX8qi6AAyYCtMNcpVxePg8ssHFey5',
    'O7Vo1ltkVl869XuF/39FfebPwdjXfQ2iSC6lRpFmtXLghfaZsSdhjIPqO4fD4QDc94wVnpSwwgOqkyFYtqqctQLosCrXOES264goptorqdw0OImrpAIe',
    'cjtxa1wJPIQ9Ioi4hXdEFRIujwjQ5xGVHisDk2USc3xd38c9/Ig87v9gwTzaJ60ZHWxG+Qw5pn1gpX06Jn0UJ33up21kIG3RoBna5C/aakZvwzcMTf6m',
    'FYq2yYu2fW1Q2uJvWw5pmylHo/EAU7kcd3alThw7l29uJ545XDlDr+1NL4RNy4O2Y38DRvbJ4+mMHdMAAAAASUVORK5CYII=',
  ].join(''),
  'base64',
)
