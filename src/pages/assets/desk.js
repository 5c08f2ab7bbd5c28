// The desk works without this file.
