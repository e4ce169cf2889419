// The mark at the head of each mail: a picture inside the message.

// Gmail shows no SVG and no `data:` address, and has no `transform` that could turn a leaf made of borders (caniemail.com:
// image-svg, image-base64, css-transform). A picture that travels in the message is shown by all of them, and nothing is loaded. It is
// drawn from `guest/browser/mark.svg`, three pixels for one. It has a tile in the colour of the page, because programs that turn the
// colours of a mail over leave pictures as they are: on a dark ground a ring without a tile could not be seen.

/** The name of the picture in the message (RFC 2392). */
export const markId = 'mark@callgate'

export const markPng = Buffer.from(
  [
    'iVBORw0KGgoAAAANSUhEUgAAAGwAAABsCAMAAAC4uKf/AAAAkFBMVEUAAAD09fL09fL09fL09fL09fL09fL09fL09fL09fIhOouZnJkTGhdTcdxk',
    'aWavvOg6QD2CmOIpTc3U1tO1t7QYJkQ8SWZ8gX4dMGjb4O9PVFEoLyxshd/FzuuYquU9X9nDxcKLjounqqcWITJydnPp6+jf4N0eJCFESkdZXluk',
    'sdtge90jPppIZtEwVNd2jeE+SQzkAAAACXRSTlMACCxIcIejy+MI+GvOAAADTElEQVR42u2aXXeiMBCG1YqYBiku2W0VPwJrCLar/f//bg9rJaCQ',
    'TDDMRc++t57jQ5I3k8lkRqMbTaYzf04e1tyfTScjrSaeA06N6HXzJjPiXLN23Ngjg8gbtwzLJwPJvxvcExlQT4isG9rArAZtQgZXtW5jf3iYf/Wk',
    'RxDkoU2imsgZDmyGOLDL0DwsWLlqcyzYHHEWy3mc4sGmWF68+NHHg/l4/igdQhD1H/a9YTxLX8MwfE0zLgaF8XQtAyVZpHwgmKBRcK8ozd3DRCqD',
    'dslD7hhGu1D/cKlLWFwEekXcGSyTgUmSOoKlAUQHJ7BDANPRAayFJZMkSXrTRvA5LFJ2CRyCp7e2SR+EsZstFTd+zV8b1pHiIVjc+LOW3Ssas8we',
    'gq1r/5S0/xWP2mCr3edyawfL6ovVFZSE+qJqkl/OpTbCAiZqlis063G8teP2fNGnBYzCWFdaVI399AU7r8Cw2sASQ2Cn66RIq+/ZXVnnFzAss7RZ',
    'ZY5zD5ha+NDqwNoo2BYKy4N7l0H0olgLsEFov4GJvYKtwLCwglllNUvFWsI3deXFpKc79gIME/bHYqmF3oodMF7BMgvWu2JtLAJx1seLRnd0wJQZ',
    'LbLsT8Xa2Rwx6oiGs7aKdSJDwxb62OEUpgJw++ECWbPc2RYDuJHbB+B3yxxE7TNq7Y6FbcIjbOPwHuKOrtgY2cVGYwDWwg5W5zTQHV2wzCqJ/zAG',
    'YC1MSAs/1o7nj14Z8VElci4CsB5Wu1RQBwHYkKSqLF7yxwMwPCPWZqn5CbjFtBeL2gUl6qblv8zHMwBWvwomXTMZR29qi636w2rpXGf1gcrgDe4O',
    'HUw07unFfSjhZY7+GxSAzXdq3qy3rLNGKGJfW/EZ7A59tSC7LUscKYsFETGjofqQPyXqx/vDdRAKqrj8fH5+A5572goPBVZ4oNUrfe2KSZcsU1WO',
    'R0ZUAr/pmOqNwlQsCy2yZnMlVTu4yOrKDSlIsy5cRAlxDSOEhfdOkUdGyBAwQgQ7FDVgdGA93hGsnkdiRkuxmPTTN374QX2GRH1gRX06Rn0UR33u',
    'R21kwG3RQG0+QW2rwW0YQm2Fwm3yQm1fw23Mw205xG2mxG0TxW2AxW3tRW5aHrwd+y9A9t93iQE9FQAAAABJRU5ErkJggg==',
  ].join(''),
  'base64',
)
