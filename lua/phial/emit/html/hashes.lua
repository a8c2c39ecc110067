--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "nkMb22jsXiEAGgoKFj9WA1Yj/C+zrjxdM9mxX0JOwQA=",
  style = "QS4/EqO92hRn6FMmRvbXZX1bbI6xeWbEWTtjhr2h21Y=",
}
